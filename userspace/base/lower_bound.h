/* SPDX-License-Identifier: GPL-2.0-only */
/* The binary search in what is sorted. */
#ifndef _IRQOFF_LOWER_BOUND_H
#define _IRQOFF_LOWER_BOUND_H

#include <stddef.h>

/**
 * lower_bound() - the first index that something does not hold for any more
 * @first: the lowest index
 * @end: behind the highest one
 * @index: what @before calls an index
 * @before: holds from @first on up to some index, and behind that no more
 *
 * Return: the index, @end where @before holds for all of them.
 */
#define lower_bound(first, end, index, before)	({		\
	size_t _low = (first), _high = (end);			\
								\
	while (_low < _high) {					\
		size_t _middle = _low + (_high - _low) / 2;	\
		const size_t index = _middle;			\
								\
		if (before)					\
			_low = _middle + 1;			\
		else						\
			_high = _middle;			\
	}							\
	_low;							\
})

#endif /* _IRQOFF_LOWER_BOUND_H */
