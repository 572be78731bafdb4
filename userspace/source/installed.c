// SPDX-License-Identifier: GPL-2.0-only
/*
 * What depmod, DKMS and trace-irqoff-dkms leave in the file system. Nothing is run: this also
 * works without rights, and in the agent's sandbox.
 */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/say.h"
#include "source/installed.h"

#define DKMS		"/var/lib/dkms/trace_irqoff"
/* what became of the last build, by kernel: scripts/packaging/build-module writes it */
#define BUILDS		"/var/lib/trace-irqoff-dkms"

#define NO_MODULE	"there is no module for this kernel; "

/* opens ROOT/DIRECTORY/NAME */
static FILE *open_in(const char *root, const char *directory, const char *name)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s%s/%s", root, directory, name);
	return fopen(path, "re");
}

/* has a line of the file, which is closed, such a text? */
static bool has_text(FILE *file, const char *text)
{
	char line[4096];
	bool found = false;

	while (file && !found && fgets(line, sizeof(line), file))
		found = strstr(line, text);
	if (file)
		fclose(file);
	return found;
}

/* modprobe finds what depmod has listed, wherever it is */
static bool listed(const char *root, const char *release)
{
	char directory[128];

	snprintf(directory, sizeof(directory), "/lib/modules/%s", release);
	return has_text(open_in(root, directory, "modules.dep"), "/trace_irqoff.ko");
}

static bool has_headers(const char *root, const char *release)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/lib/modules/%s/build/include", root, release);
	return !access(path, F_OK);
}

/* RHEL, its rebuilds and Fedora have this file */
static const char *headers_package(const char *root)
{
	FILE *file = open_in(root, "/etc", "redhat-release");

	if (!file)
		return "linux-headers";
	fclose(file);
	return "kernel-devel";
}

static bool signed_only(const char *root)
{
	FILE *lockdown;

	if (has_text(open_in(root, "/sys/module/module/parameters", "sig_enforce"), "Y"))
		return true;
	/* "none [integrity] confidentiality"; no file without lockdown */
	lockdown = open_in(root, "/sys/kernel/security", "lockdown");
	return lockdown && !has_text(lockdown, "[none]");
}

/* Debian's DKMS makes the first one, if it is not older than 3.0. Ubuntu's uses the second one. */
static const char *dkms_certificate(const char *root)
{
	static const char *const paths[] = {
		"/var/lib/dkms/mok.pub",
		"/var/lib/shim-signed/mok/MOK.der",
	};
	char path[PATH_MAX];

	for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++) {
		snprintf(path, sizeof(path), "%s%s", root, paths[i]);
		/* one that only root may look at is there */
		if (!access(path, F_OK) || errno == EACCES)
			return paths[i];
	}
	return NULL;
}

/* "kernel-RELEASE-ARCH" in DKMS's tree is a link to "VERSION/RELEASE/ARCH" */
static void linked_version(struct installed *installed, const char *root, const char *name)
{
	char path[PATH_MAX], to[PATH_MAX] = "";
	size_t len;

	snprintf(path, sizeof(path), "%s" DKMS "/%s", root, name);
	if (readlink(path, to, sizeof(to) - 1) <= 0)
		return;
	len = strcspn(to, "/");
	snprintf(installed->version, sizeof(installed->version), "%.*s", (int)len, to);
}

/*
 * The version that is installed; else the last one in DKMS's tree, and *linked is false. Returns
 * false without a tree.
 */
static bool look_at_dkms(struct installed *installed, const char *root, bool *linked)
{
	char path[PATH_MAX], link[128];
	struct dirent *entry;
	DIR *directory;

	snprintf(path, sizeof(path), "%s" DKMS, root);
	snprintf(link, sizeof(link), "kernel-%s-", installed->release);
	directory = opendir(path);
	if (!directory)
		return false;
	while ((entry = readdir(directory))) {
		if (!strncmp(entry->d_name, link, strlen(link))) {
			linked_version(installed, root, entry->d_name);
			*linked = true;
		} else if (!*linked && *entry->d_name >= '0' && *entry->d_name <= '9' &&
			   strverscmp(entry->d_name, installed->version) > 0) {
			snprintf(installed->version, sizeof(installed->version), "%.31s",
				 entry->d_name);
		}
	}
	closedir(directory);
	return true;
}

/* what became of the last build: "skipped", "failed", or "kept VERSION" */
static void read_note(const struct installed *installed, const char *root, char word[48])
{
	FILE *note = open_in(root, BUILDS, installed->release);

	if (!note || !fgets(word, 48, note))
		*word = '\0';
	word[strcspn(word, "\n")] = '\0';
	if (note)
		fclose(note);
}

static enum installed_state without_module(const struct installed *installed, const char *root)
{
	char word[48];

	read_note(installed, root, word);
	/* what was tried once says nothing once the headers have gone */
	if (!has_headers(root, installed->release))
		return INSTALLED_NO_HEADERS;
	if (!strcmp(word, "skipped"))
		return INSTALLED_SKIPPED;
	return strcmp(word, "failed") ? INSTALLED_NOT_BUILT : INSTALLED_FAILED;
}

/* of a module that DKMS did not install: that of before an upgrade, or one built by hand */
static void unlinked_version(struct installed *installed, const char *root)
{
	static const char kept[] = "kept ";
	char word[48];

	read_note(installed, root, word);
	if (!strncmp(word, kept, strlen(kept)))
		fill_text(installed->version, sizeof(installed->version), word + strlen(kept));
	else
		*installed->version = '\0';
}

/**
 * installed_look() - look for the module of a kernel
 * @installed: the result
 * @root: "", or where the file system is
 * @release: of the kernel
 */
void installed_look(struct installed *installed, const char *root, const char *release)
{
	bool dkms, linked = false;

	*installed = (struct installed){ 0 };
	fill_text(installed->release, sizeof(installed->release), release);
	installed->headers = headers_package(root);
	dkms = look_at_dkms(installed, root, &linked);
	if (listed(root, release)) {
		installed->state = signed_only(root) ? INSTALLED_SIGNED_ONLY : INSTALLED_MODULE;
		installed->certificate = dkms_certificate(root);
		if (!linked)
			unlinked_version(installed, root);
	} else if (dkms) {
		installed->state = without_module(installed, root);
	}
}

/**
 * installed_reason() - why the module is not loaded, and what to do
 * @installed: from installed_look()
 *
 * Return: what follows "the module is not loaded; ", without a full stop, to be freed; NULL:
 * nothing is known that keeps it from being loaded.
 */
char *installed_reason(const struct installed *installed)
{
	const char *release = installed->release, *version = installed->version;

	switch (installed->state) {
	case INSTALLED_SIGNED_ONLY:
		if (!installed->certificate)
			return print_text("load it with modprobe trace_irqoff; "
					  "this kernel loads signed modules only; "
					  "DKMS has no key here; "
					  "irqoff(8), DIAGNOSTICS, says how to sign it");
		return print_text("load it with modprobe trace_irqoff; "
				  "this kernel loads signed modules only; "
				  "if its log has a rejected key, enrol that of DKMS; "
				  "type mokutil --import %s, and reboot",
				  installed->certificate);
	case INSTALLED_NO_HEADERS:
		return print_text(NO_MODULE "install %s-%s, for which DKMS builds it",
				  installed->headers, release);
	case INSTALLED_SKIPPED:
		return print_text(NO_MODULE "trace_irqoff %s was not tested with %s; "
				  "trace-irqoff.conf(5) says how to have it built",
				  version, release);
	case INSTALLED_FAILED:
		return print_text(NO_MODULE "trace_irqoff %s did not compile for %s; "
				  "the log is " BUILDS "/%s.log", version, release, release);
	case INSTALLED_NOT_BUILT:
		return print_text(NO_MODULE "dkms install trace_irqoff/%s -k %s builds it",
				  version, release);
	default:
		return NULL;
	}
}
