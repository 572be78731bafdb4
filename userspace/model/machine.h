/* SPDX-License-Identifier: GPL-2.0-only */
/* Which machine this is, and which boot of it. */
#ifndef _IRQOFF_MACHINE_H
#define _IRQOFF_MACHINE_H

struct machine {
	char host[65];		/* "" where it has no name */
	char release[65];	/* of the kernel */
	char boot_id[37];	/* a UUID; "" where it is not known */
	char installed[32];	/* version of the module that is installed; "": not known */
	char ignored[256];	/* parameters that its load ignored, see ignored_find() */
	char cpus[256];		/* the possible ones, as the kernel lists them; "": not known */
};

void machine_read(struct machine *machine);
char *machine_line(const char *path);
char *machine_online(void);

#endif /* _IRQOFF_MACHINE_H */
