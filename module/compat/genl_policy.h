/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The policy of requests is the family's since "genetlink: make policy common to family"
 * (v5.2), and was each operation's before. Kernels without that one check less: they pass
 * over attributes without an entry, and over all of a dump's.
 */
#ifndef _TIO_COMPAT_GENL_POLICY_H
#define _TIO_COMPAT_GENL_POLICY_H

#include <net/genetlink.h>

#ifdef HAVE_GENL_FAMILY_POLICY
#define TIO_FAMILY_POLICY(_policy)	.policy = (_policy),
#define TIO_OP_POLICY(_policy)
#else
#define TIO_FAMILY_POLICY(_policy)
#define TIO_OP_POLICY(_policy)		.policy = (_policy),
#endif

#endif /* _TIO_COMPAT_GENL_POLICY_H */
