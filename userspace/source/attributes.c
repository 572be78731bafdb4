// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "source/attributes.h"

static bool fits(const struct nlattr *attr, const struct nla_policy *policy)
{
	size_t len = attr->nla_len - NLA_HDRLEN;

	if (policy->type == NLA_STRING)
		return len && !((const char *)attr)[attr->nla_len - 1];
	return len >= policy->minlen && (!policy->maxlen || len <= policy->maxlen);
}

/**
 * attributes_find() - find the attributes of a message, as nla_parse() does
 * @found: the result, by type; NULL: there is none
 * @most: the highest type; higher ones are passed over
 * @first: where the first one is, aligned
 * @len: bytes from there on
 * @policy: by type: a string, or how long one is at least and at most
 *
 * Of attributes of one type the last one is found. What is behind the last whole one does not
 * matter. nla_parse() calls four functions for each, which is much where a million records have
 * twenty of which four are needed.
 *
 * Return: false where one is not as @policy has it.
 */
bool attributes_find(struct nlattr **found, unsigned int most, const void *first, size_t len,
		     const struct nla_policy *policy)
{
	memset(found, 0, (most + 1) * sizeof(*found));
	for (const char *at = first; len >= NLA_HDRLEN;) {
		struct nlattr *attr = (struct nlattr *)at;
		const unsigned int type = attr->nla_type & NLA_TYPE_MASK;
		const size_t all = NLA_ALIGN(attr->nla_len);

		if (attr->nla_len < NLA_HDRLEN || attr->nla_len > len)
			break;
		if (type <= most && !fits(attr, &policy[type]))
			return false;
		if (type <= most)
			found[type] = attr;
		if (all >= len)
			break;
		at += all;
		len -= all;
	}
	return true;
}
