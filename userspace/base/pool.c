// SPDX-License-Identifier: GPL-2.0-only
#include <linux/types.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "base/say.h"

#define FIRST_ROOM	64	/* a power of two */

struct piece {
	size_t len;
	__u64 bytes[];
};

/* what is compared lies in the table: pieces are all over the memory */
struct slot {
	unsigned long code;	/* hash of the piece */
	struct piece *piece;	/* NULL: none */
};

struct pool {
	struct slot *slots;	/* a piece is in the first free one from that of its hash on */
	size_t room;		/* number of slots, a power of two */
	size_t count;		/* of pieces */
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

struct pool *pool_new(void)
{
	struct pool *pool = alloc(1, sizeof(*pool));

	pool->room = FIRST_ROOM;
	pool->slots = alloc(pool->room, sizeof(*pool->slots));
	return pool;
}

void pool_free(struct pool *pool)
{
	if (!pool)
		return;
	for (size_t i = 0; i < pool->room; i++)
		free(pool->slots[i].piece);
	free(pool->slots);
	free(pool);
}

static bool holds(const struct slot *slot, unsigned long code, const void *bytes, size_t len)
{
	return slot->code == code && slot->piece->len == len &&
	       !memcmp(slot->piece->bytes, bytes, len);
}

/* the slot of some bytes, or the one where they belong; NULL @bytes are in none */
static struct slot *find(const struct pool *pool, unsigned long code, const void *bytes, size_t len)
{
	size_t i = code & (pool->room - 1);

	while (pool->slots[i].piece && !(bytes && holds(&pool->slots[i], code, bytes, len)))
		i = (i + 1) & (pool->room - 1);
	return &pool->slots[i];
}

static void make_room(struct pool *pool)
{
	const struct pool before = *pool;

	pool->room *= 2;
	pool->slots = alloc(pool->room, sizeof(*pool->slots));
	for (size_t i = 0; i < before.room; i++)
		if (before.slots[i].piece)
			*find(pool, before.slots[i].code, NULL, 0) = before.slots[i];
	free(before.slots);
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
	unsigned long code = hash_bytes(bytes, len, 0);
	struct slot *slot = find(pool, code, bytes, len);

	if (slot->piece)
		return slot->piece->bytes;
	if (2 * pool->count++ >= pool->room) {
		make_room(pool);
		slot = find(pool, code, bytes, len);
	}
	slot->code = code;
	slot->piece = alloc(1, sizeof(*slot->piece) + len);
	slot->piece->len = len;
	memcpy(slot->piece->bytes, bytes, len);
	return slot->piece->bytes;
}
