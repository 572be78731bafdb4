// SPDX-License-Identifier: GPL-2.0-only
#include <json-c/linkhash.h>
#include <linux/types.h>
#include <stdlib.h>
#include <string.h>

#include "pool.h"
#include "say.h"

#define FIRST_SIZE	64

struct piece {
	const void *bytes;
	size_t len;
	__u64 room[];		/* what @bytes are once they are kept */
};

struct pool {
	struct lh_table *pieces;
};

/**
 * hash_bytes() - FNV-1a, but by pairs of words, which stacks are made of
 * @bytes: the bytes
 * @len: how many
 * @seed: the hash of what goes before them, or 0
 *
 * Return: the hash, whose low bits are as good as the others.
 */
unsigned long hash_bytes(const void *bytes, size_t len, unsigned long seed)
{
	__u64 sum = 0xcbf29ce484222325ULL ^ seed, other = 0, word = 0;
	const char *at = bytes;

	/* neither half waits for the other's product */
	for (; len >= 2 * sizeof(word); len -= 2 * sizeof(word), at += 2 * sizeof(word)) {
		memcpy(&word, at, sizeof(word));
		sum = (sum ^ word) * 0x100000001b3ULL;
		memcpy(&word, at + sizeof(word), sizeof(word));
		other = (other ^ word) * 0x9e3779b97f4a7c15ULL;
	}
	sum ^= other ^ other >> 29;
	for (; len >= sizeof(word); len -= sizeof(word), at += sizeof(word)) {
		memcpy(&word, at, sizeof(word));
		sum = (sum ^ word) * 0x100000001b3ULL;
	}
	word = 0;
	memcpy(&word, at, len);
	sum = (sum ^ word) * 0x100000001b3ULL;
	return sum ^ sum >> 32;
}

static unsigned long hash(const void *key)
{
	const struct piece *piece = key;

	return hash_bytes(piece->bytes, piece->len, 0);
}

static int same(const void *a, const void *b)
{
	const struct piece *left = a, *right = b;

	return left->len == right->len && !memcmp(left->bytes, right->bytes, left->len);
}

static void forget(struct lh_entry *entry)
{
	free((void *)lh_entry_k(entry));
}

struct pool *pool_new(void)
{
	struct pool *pool = alloc(1, sizeof(*pool));

	pool->pieces = or_exit(lh_table_new(FIRST_SIZE, forget, hash, same));
	return pool;
}

void pool_free(struct pool *pool)
{
	if (!pool)
		return;
	lh_table_free(pool->pieces);
	free(pool);
}

/**
 * pool_keep() - the one copy of some bytes
 * @pool: from pool_new()
 * @bytes: the bytes
 * @len: how many
 *
 * Return: the copy, aligned for words. Lives as long as @pool.
 */
const void *pool_keep(struct pool *pool, const void *bytes, size_t len)
{
	const struct piece wanted = { .bytes = bytes, .len = len };
	unsigned long code = lh_get_hash(pool->pieces, &wanted);
	struct lh_entry *found = lh_table_lookup_entry_w_hash(pool->pieces, &wanted, code);
	struct piece *piece;

	if (found)
		return ((const struct piece *)lh_entry_k(found))->bytes;
	piece = alloc(1, sizeof(*piece) + len);
	memcpy(piece->room, bytes, len);
	piece->bytes = piece->room;
	piece->len = len;
	if (lh_table_insert_w_hash(pool->pieces, piece, piece, code, JSON_C_OBJECT_ADD_KEY_IS_NEW))
		exit(failed("out of memory"));
	return piece->bytes;
}
