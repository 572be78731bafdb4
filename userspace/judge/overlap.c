// SPDX-License-Identifier: GPL-2.0-only
/*
 * Stalls of a model, in the order of their ends, of which some are there. They are the leaves
 * of a binary tree. Each node knows the longest stall below it and the one that began first,
 * and of each the next best one of another CPU. So a search takes as many steps as the tree is
 * deep, however many stalls overlap: a file may have any number of them.
 */
#include <stdlib.h>

#include "base/say.h"
#include "judge/overlap.h"

#define NOTHING		(~0U)

struct leaf {
	__u64 start_ns;
	__u64 len_ns;
	__u32 cpu;
};

/* leaves; the second of each two is of another CPU */
struct node {
	__u32 longest[2];
	__u32 first[2];
};

struct overlap {
	const struct model *model;
	struct leaf *leaves;
	struct node *nodes;	/* [1] is the root, and those below [i] are [2 * i] and the next */
	size_t width;		/* of the lowest row */
};

static const struct node empty = {
	.longest = { NOTHING, NOTHING }, .first = { NOTHING, NOTHING },
};

/**
 * overlap_new() - get ready to search
 * @model: records, sorted; must stay as it is
 *
 * Return: none of them is there yet.
 */
struct overlap *overlap_new(const struct model *model)
{
	struct overlap *overlap = alloc(1, sizeof(*overlap));

	overlap->model = model;
	overlap->leaves = alloc(model->nentries, sizeof(*overlap->leaves));
	for (size_t i = 0; i < model->nentries; i++)
		overlap->leaves[i] = (struct leaf){
			.start_ns = entry_start_ns(model->entries[i]),
			.len_ns = model->entries[i]->rec.min_ns,
			.cpu = model->entries[i]->rec.cpu,
		};
	for (overlap->width = 1; overlap->width < model->nentries; overlap->width *= 2)
		;
	overlap->nodes = alloc(2 * overlap->width, sizeof(*overlap->nodes));
	for (size_t i = 0; i < 2 * overlap->width; i++)
		overlap->nodes[i] = empty;
	return overlap;
}

void overlap_free(struct overlap *overlap)
{
	free(overlap->leaves);
	free(overlap->nodes);
	free(overlap);
}

static bool longer(const struct leaf *a, const struct leaf *b)
{
	return a->len_ns > b->len_ns;
}

static bool earlier(const struct leaf *a, const struct leaf *b)
{
	return a->start_ns < b->start_ns;
}

static void offer(const struct leaf *leaves, __u32 best[2], __u32 leaf,
		  bool (*better)(const struct leaf *a, const struct leaf *b))
{
	if (leaf == NOTHING)
		return;
	if (best[0] == NOTHING || better(&leaves[leaf], &leaves[best[0]])) {
		if (best[0] != NOTHING && leaves[leaf].cpu != leaves[best[0]].cpu)
			best[1] = best[0];
		best[0] = leaf;
	} else if (leaves[leaf].cpu != leaves[best[0]].cpu &&
		   (best[1] == NOTHING || better(&leaves[leaf], &leaves[best[1]]))) {
		best[1] = leaf;
	}
}

/**
 * overlap_set() - let a stall be there, or not
 * @overlap: from overlap_new()
 * @index: its index in the model
 * @there: whether it is there from now on
 */
void overlap_set(struct overlap *overlap, size_t index, bool there)
{
	size_t at = overlap->width + index;

	overlap->nodes[at] = empty;
	if (there) {
		overlap->nodes[at].longest[0] = index;
		overlap->nodes[at].first[0] = index;
	}
	while (at /= 2) {
		const struct node *right = &overlap->nodes[2 * at + 1];
		struct node both = overlap->nodes[2 * at];

		for (unsigned int i = 0; i < 2; i++) {
			offer(overlap->leaves, both.longest, right->longest[i], longer);
			offer(overlap->leaves, both.first, right->first[i], earlier);
		}
		overlap->nodes[at] = both;
	}
}

/* the best one that is not of this CPU; NULL: there is none */
static const struct leaf *of_others(const struct overlap *overlap, const __u32 best[2], __u32 cpu)
{
	bool own = best[0] != NOTHING && overlap->leaves[best[0]].cpu == cpu;

	return best[own] == NOTHING ? NULL : &overlap->leaves[best[own]];
}

/* may one of the stalls below that node be meant? */
static bool may_have(const struct overlap *overlap, size_t at, const struct overlap_wish *wish)
{
	const struct node *node = &overlap->nodes[at];
	const struct leaf *longest = of_others(overlap, node->longest, wish->not_cpu);
	const struct leaf *first = of_others(overlap, node->first, wish->not_cpu);

	return longest && longest->len_ns >= wish->len_ns && first->start_ns <= wish->began_ns;
}

/* of the leaves below the node at @at, which begin with @low */
static size_t search(const struct overlap *overlap, size_t at, size_t low, size_t count,
		     const struct overlap_wish *wish)
{
	size_t found;

	if (low >= wish->to || low + count <= wish->from || !may_have(overlap, at, wish))
		return OVERLAP_NONE;
	if (count == 1)
		return low;
	count /= 2;
	found = search(overlap, 2 * at, low, count, wish);
	return found != OVERLAP_NONE ? found :
	       search(overlap, 2 * at + 1, low + count, count, wish);
}

/**
 * overlap_first() - of the stalls that are meant, the first one by their ends
 * @overlap: from overlap_new()
 * @wish: which ones are meant
 *
 * A node has one stall that is long enough and another one that began early enough, and
 * mostly that is no matter: one of the two conditions says nothing, or follows from the other.
 *
 * Return: its index in the model, or OVERLAP_NONE.
 */
size_t overlap_first(const struct overlap *overlap, const struct overlap_wish *wish)
{
	return search(overlap, 1, 0, overlap->width, wish);
}

static __u64 with(const struct overlap *overlap, size_t index, const struct entry *entry)
{
	const struct leaf *leaf = &overlap->leaves[index];
	__u64 end_ns = overlap->model->entries[index]->rec.end_ns;
	__u64 start_ns = entry_start_ns(entry);

	start_ns = leaf->start_ns > start_ns ? leaf->start_ns : start_ns;
	end_ns = end_ns < entry->rec.end_ns ? end_ns : entry->rec.end_ns;
	return end_ns > start_ns ? end_ns - start_ns : 0;
}

/*
 * The first that overlaps by so much. Of those that ended before @entry all that are long
 * enough have begun early enough, of those that ended later it is the other way round.
 */
static size_t first_with(const struct overlap *overlap, const struct entry *entry, size_t from,
			 size_t to, __u64 len_ns)
{
	size_t ended = model_ended_from(overlap->model, entry_start_ns(entry) + len_ns);
	const struct overlap_wish wish = {
		.from = len_ns && ended > from ? ended : from,
		.to = to,
		.not_cpu = entry->rec.cpu,
		.len_ns = len_ns,
		.began_ns = len_ns ? entry->rec.end_ns - len_ns : ~0ULL,
	};

	return overlap_first(overlap, &wish);
}

/**
 * overlap_most() - the stall of another CPU that overlaps most with one
 * @overlap: from overlap_new()
 * @entry: that one
 * @from: index of the first stall that is meant
 * @to: index behind the last one
 * @least_ns: it overlaps for so long at least
 *
 * Return: its index in the model, of several the lowest, or OVERLAP_NONE.
 */
size_t overlap_most(const struct overlap *overlap, const struct entry *entry, size_t from,
		    size_t to, __u64 least_ns)
{
	/* what began before the clock did overlaps with nothing */
	__u64 most_ns = entry->rec.min_ns <= entry->rec.end_ns ? entry->rec.min_ns : 0;
	size_t best = OVERLAP_NONE;

	if (least_ns <= most_ns)
		best = first_with(overlap, entry, from, to, least_ns);
	if (best != OVERLAP_NONE)
		least_ns = with(overlap, best, entry);
	while (best != OVERLAP_NONE && least_ns < most_ns) {
		__u64 middle_ns = most_ns - (most_ns - least_ns) / 2;
		size_t better = first_with(overlap, entry, from, to, middle_ns);

		if (better == OVERLAP_NONE) {
			most_ns = middle_ns - 1;
			continue;
		}
		best = better;
		least_ns = with(overlap, best, entry);
	}
	return best;
}
