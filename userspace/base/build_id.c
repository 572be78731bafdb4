// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>
#include <linux/types.h>
#include <stdio.h>
#include <string.h>

#include "base/build_id.h"

/* the head of a note, of 64 and of 32 bits */
struct note {
	__u32 name_len;
	__u32 desc_len;
	__u32 type;
};

static size_t padded(size_t len)
{
	return (len + 3) & ~(size_t)3;
}

/**
 * build_id_find() - find the build id in notes
 * @id: the result
 * @notes: the notes
 * @len: their length
 *
 * Return: the length of the id, 0 where there is none.
 */
size_t build_id_find(unsigned char id[BUILD_ID_MOST], const void *notes, size_t len)
{
	const char *at = notes;
	struct note note;

	while (len >= sizeof(note)) {
		size_t name, desc;

		memcpy(&note, at, sizeof(note));
		at += sizeof(note);
		len -= sizeof(note);
		name = padded(note.name_len);
		desc = padded(note.desc_len);
		if (name < note.name_len || desc < note.desc_len || name > len ||
		    note.desc_len > len - name)
			return 0;
		if (note.type == NT_GNU_BUILD_ID && note.name_len == sizeof(ELF_NOTE_GNU) &&
		    !memcmp(at, ELF_NOTE_GNU, sizeof(ELF_NOTE_GNU)) &&
		    note.desc_len <= BUILD_ID_MOST) {
			memcpy(id, at + name, note.desc_len);
			return note.desc_len;
		}
		if (desc > len - name)
			return 0;
		at += name + desc;
		len -= name + desc;
	}
	return 0;
}

/**
 * build_id_read() - the build id in a file of notes
 * @id: the result
 * @path: such as /sys/kernel/notes
 *
 * Return: the length of the id, 0 where there is none, or it may not be read.
 */
size_t build_id_read(unsigned char id[BUILD_ID_MOST], const char *path)
{
	FILE *file = fopen(path, "re");
	char notes[4096];
	size_t len;

	if (!file)
		return 0;
	len = fread(notes, 1, sizeof(notes), file);
	fclose(file);
	return build_id_find(id, notes, len);
}
