// SPDX-License-Identifier: GPL-2.0-only
#include <zlib.h>

#include "output/export.h"

#define WINDOW_BITS	15
#define AS_GZIP		16	/* zlib's: with a header of gzip, which has no name and no time */

static bool deflate_all(z_stream *zip, FILE *out)
{
	unsigned char packed[65536];
	int ret;

	do {
		size_t len;

		zip->next_out = packed;
		zip->avail_out = sizeof(packed);
		ret = deflate(zip, Z_FINISH);
		len = sizeof(packed) - zip->avail_out;
		if (fwrite(packed, 1, len, out) != len)
			return false;
	} while (ret == Z_OK || ret == Z_BUF_ERROR);
	return ret == Z_STREAM_END;
}

/**
 * gzip_write() - write bytes as a gzip file
 * @out: where to
 * @bytes: less than 4 GiB of them
 * @len: how many
 *
 * Return: false where not all was written.
 */
bool gzip_write(FILE *out, const void *bytes, size_t len)
{
	z_stream zip = { .next_in = (void *)bytes, .avail_in = len };
	bool done;

	if (zip.avail_in != len ||
	    deflateInit2(&zip, Z_DEFAULT_COMPRESSION, Z_DEFLATED, WINDOW_BITS | AS_GZIP,
			 MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK)
		return false;
	done = deflate_all(&zip, out);
	deflateEnd(&zip);
	return done;
}
