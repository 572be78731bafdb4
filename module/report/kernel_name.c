// SPDX-License-Identifier: GPL-2.0-only
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "core/frame_rule.h"
#include "core/record.h"
#include "report/kernel_name.h"

/*
 * Between two functions of the kernel's image there is nothing but the image. The image
 * stays, so what lies here needs no further care. Only ever widened.
 */
static unsigned long image_from = ULONG_MAX, image_to;

/* a name of the image's code; those of BPF, which lies elsewhere, have no module either */
static bool of_image(const char *name)
{
	return !strchr(name, '[') && strncmp(name, "bpf_", 4);
}

static void widen_image(unsigned long addr)
{
	if (addr < READ_ONCE(image_from))
		WRITE_ONCE(image_from, addr);
	if (addr > READ_ONCE(image_to))
		WRITE_ONCE(image_to, addr);
}

/**
 * tio_in_image() - does an address lie in the kernel's image, as far as is known?
 * @addr: the address
 *
 * Context: any.
 * Return: true where it does. False is no answer before tio_kernel_name() was called.
 */
bool tio_in_image(u64 addr)
{
	return addr >= READ_ONCE(image_from) && addr <= READ_ONCE(image_to);
}

/*
 * Prints the second frame if it is the function that a retpoline jumps to
 * (frame_rule.h). Returns the length of the name, 0 where it is no such function.
 */
static int print_jump_target(char *buf, const struct tio_sample *sample)
{
	int len;

	scnprintf(buf, KSYM_SYMBOL_LEN, "%pS",
		  (void *)(unsigned long)sample->frames[0]);
	if (!tio_is_retpoline(buf))
		return 0;
	len = scnprintf(buf, KSYM_SYMBOL_LEN, "%pS",
			(void *)(unsigned long)sample->frames[1]);
	return strstr(buf, "+0x0/") ? len : 0;
}

/* is the frame the instruction that an interrupt or an exception came in on? */
static bool was_interrupted(char *buf, const struct tio_sample *sample, unsigned int frame)
{
	scnprintf(buf, KSYM_SYMBOL_LEN, "%ps",
		  (void *)(unsigned long)sample->frames[frame - 1]);
	return tio_is_entry(buf);
}

/* an address without a symbol is printed as a number */
static bool is_number(const char *buf)
{
	return !strncmp(buf, "0x", 2);
}

/*
 * A return address may lie behind the end of the function that called. The kernel's %pB
 * looks one byte before it. Within a function it does not matter what the address is.
 */
static int print_name(char *buf, const struct tio_sample *sample, unsigned int frame)
{
	void *addr = (void *)(unsigned long)sample->frames[frame];
	int len = scnprintf(buf, KSYM_SYMBOL_LEN, "%pS", addr);

	if (!frame || !(strstr(buf, "+0x0/") || is_number(buf)))
		return len;
	return scnprintf(buf, KSYM_SYMBOL_LEN,
			 was_interrupted(buf, sample, frame) ? "%pS" : "%pB", addr);
}

/* marks a name that may be that of a later BPF program (frame_rule.h) */
static int mark_bpf(char *buf, int len)
{
	if (tio_is_bpf(buf))
		len += scnprintf(buf + len, KSYM_SYMBOL_LEN - len, " [" TIO_BPF_MARK "]");
	return len;
}

/**
 * tio_kernel_name() - what the kernel calls a frame now
 * @buf: at least KSYM_SYMBOL_LEN bytes
 * @sample: a sample with its stack
 * @frame: which of its frames
 *
 * Context: task.
 * Return: length; the text is "symbol+0xoffset/0xsize [module]", with "[bpf?]" for BPF
 * programs. 0 where there is no code now.
 */
int tio_kernel_name(char *buf, const struct tio_sample *sample, unsigned int frame)
{
	int len = frame == 1 ? print_jump_target(buf, sample) : 0;

	if (!len)
		len = print_name(buf, sample, frame);
	if (is_number(buf))
		return 0;
	if (of_image(buf))
		widen_image(sample->frames[frame]);
	return mark_bpf(buf, len);
}

/**
 * tio_kernel_function() - what the kernel calls a function now
 * @buf: at least KSYM_SYMBOL_LEN bytes
 * @addr: where it begins
 *
 * Context: task.
 * Return: as tio_kernel_name().
 */
int tio_kernel_function(char *buf, u64 addr)
{
	int len = scnprintf(buf, KSYM_SYMBOL_LEN, "%pS", (void *)(unsigned long)addr);

	return is_number(buf) ? 0 : len;
}
