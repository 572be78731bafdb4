// SPDX-License-Identifier: GPL-2.0-only
/* Which module is installed, or why none is: of file systems that are made for it. */
#include "page.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "source/installed.h"

#define RELEASE	"6.1.0-56-amd64"
#define MODULES	"/lib/modules/" RELEASE
#define DKMS	"/var/lib/dkms/trace_irqoff"

static char root[32];
static struct installed installed;

__printf(1, 2) static void run(const char *format, ...)
{
	va_list args;
	char *command;

	va_start(args, format);
	command = vprint_text(format, args);
	va_end(args);
	assert_int_equal(system(command), 0);
	free(command);
}

/* with an empty root, or one in which `dkms add` was run */
static int begin(void **state)
{
	strcpy(root, "/tmp/irqoff-installed-XXXXXX");
	return !mkdtemp(root);
}

static int end(void **state)
{
	run("rm -r %s", root);
	return 0;
}

/* writes a file below the root */
static void put(const char *path, const char *text)
{
	run("install -D /dev/null %s%s", root, path);
	run("echo '%s' > %s%s", text, root, path);
}

static void add(const char *version)
{
	run("mkdir -p %s" DKMS "/%s %s" MODULES, root, version, root);
}

static void headers(void)
{
	run("mkdir -p %s" MODULES "/build/include", root);
}

static void build(const char *version)
{
	run("mkdir -p %s" DKMS "/%s/" RELEASE "/x86_64", root, version);
	run("ln -sfn %s/" RELEASE "/x86_64 %s" DKMS "/kernel-" RELEASE "-x86_64", version, root);
	put(MODULES "/modules.dep", "kernel/a.ko: b\nupdates/dkms/trace_irqoff.ko.xz: c");
}

static void note_build(const char *word)
{
	put("/var/lib/trace-irqoff-dkms/" RELEASE, word);
}

static void look(enum installed_state wanted, const char *version, const char *reason)
{
	char *said;

	installed_look(&installed, root, RELEASE);
	assert_int_equal(installed.state, wanted);
	assert_string_equal(installed.version, version);
	said = installed_reason(&installed);
	if (!reason)
		assert_null(said);
	else if (!said || !strstr(said, reason))
		fail_msg("'%s' has no '%s'", said ? said : "", reason);
	free(said);
}

static void nothing_known(void **state)
{
	look(INSTALLED_UNKNOWN, "", NULL);
	headers();
	look(INSTALLED_UNKNOWN, "", NULL);
}

static void without_headers(void **state)
{
	add("0.3.0");
	look(INSTALLED_NO_HEADERS, "0.3.0",
	     "no module for this kernel; install linux-headers-" RELEASE ",");
	/* whatever became of an earlier build */
	note_build("failed");
	look(INSTALLED_NO_HEADERS, "0.3.0", "install linux-headers-" RELEASE);
	run("mkdir -p %s/etc && touch %s/etc/redhat-release", root, root);
	look(INSTALLED_NO_HEADERS, "0.3.0", "install kernel-devel-" RELEASE ",");
}

static void not_built(void **state)
{
	add("0.3.0");
	headers();
	look(INSTALLED_NOT_BUILT, "0.3.0",
	     "dkms install trace_irqoff/0.3.0 -k " RELEASE " builds it");
	note_build("skipped");
	look(INSTALLED_SKIPPED, "0.3.0", "trace_irqoff 0.3.0 was not tested with " RELEASE);
	note_build("failed");
	look(INSTALLED_FAILED, "0.3.0", "the log is /var/lib/trace-irqoff-dkms/" RELEASE ".log");
}

static void installed_versions(void **state)
{
	add("0.9.0");
	add("0.10.0");
	headers();
	look(INSTALLED_NOT_BUILT, "0.10.0", "trace_irqoff/0.10.0");
	build("0.9.0");
	look(INSTALLED_MODULE, "0.9.0", NULL);
	put("/sys/module/module/parameters/sig_enforce", "N");
	look(INSTALLED_MODULE, "0.9.0", NULL);
}

static void by_hand(void **state)
{
	put(MODULES "/modules.dep", "extra/module/trace_irqoff.ko:");
	look(INSTALLED_MODULE, "", NULL);
}

static void kept_from_an_upgrade(void **state)
{
	add("0.2.0");
	headers();
	put(MODULES "/modules.dep", "updates/trace-irqoff-kept/trace_irqoff.ko:");
	note_build("kept 0.3.0");
	look(INSTALLED_MODULE, "0.3.0", NULL);
}

static void signed_modules_only(void **state)
{
	add("0.3.0");
	build("0.3.0");
	put("/sys/kernel/security/lockdown", "none [integrity] confidentiality");
	look(INSTALLED_SIGNED_ONLY, "0.3.0", "DKMS has no key here");
	put("/var/lib/shim-signed/mok/MOK.der", "");
	look(INSTALLED_SIGNED_ONLY, "0.3.0", "--import /var/lib/shim-signed/mok/MOK.der,");
	put("/var/lib/dkms/mok.pub", "");
	look(INSTALLED_SIGNED_ONLY, "0.3.0", "mokutil --import /var/lib/dkms/mok.pub,");
	put("/sys/kernel/security/lockdown", "[none] integrity confidentiality");
	look(INSTALLED_MODULE, "0.3.0", NULL);
	put("/sys/module/module/parameters/sig_enforce", "Y");
	look(INSTALLED_SIGNED_ONLY, "0.3.0", "signed modules only");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(nothing_known, begin, end),
		cmocka_unit_test_setup_teardown(without_headers, begin, end),
		cmocka_unit_test_setup_teardown(not_built, begin, end),
		cmocka_unit_test_setup_teardown(installed_versions, begin, end),
		cmocka_unit_test_setup_teardown(by_hand, begin, end),
		cmocka_unit_test_setup_teardown(kept_from_an_upgrade, begin, end),
		cmocka_unit_test_setup_teardown(signed_modules_only, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
