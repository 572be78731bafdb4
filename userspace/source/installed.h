/* SPDX-License-Identifier: GPL-2.0-only */
/* Which module is installed for the kernel that runs, or why none is. */
#ifndef _IRQOFF_INSTALLED_H
#define _IRQOFF_INSTALLED_H

enum installed_state {
	INSTALLED_UNKNOWN,	/* none, and nobody says that one is wanted */
	INSTALLED_MODULE,
	INSTALLED_SIGNED_ONLY,	/* there is one, and this kernel may reject it */
	INSTALLED_NO_HEADERS,
	INSTALLED_SKIPPED,	/* dkms.conf leaves this kernel out */
	INSTALLED_FAILED,	/* it did not compile */
	INSTALLED_NOT_BUILT,	/* nor did anybody try */
};

struct installed {
	enum installed_state state;
	char release[65];	/* of the kernel */
	char version[32];	/* of the module, or of its source; "" where it is not known */
	const char *certificate;	/* of the key that DKMS signs with; NULL: there is none */
	const char *headers;	/* the package of headers, without the release */
};

void installed_look(struct installed *installed, const char *root, const char *release);
char *installed_reason(const struct installed *installed);

#endif /* _IRQOFF_INSTALLED_H */
