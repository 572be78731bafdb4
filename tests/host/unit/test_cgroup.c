// SPDX-License-Identifier: GPL-2.0-only
/* Paths of cgroups, in a directory that stands for a mounted cgroup file system. */
#include "fixture.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/cgroup.h"

#define ID	4242
#define DOCKERS	"d6701ec289c56e4391acb11d07474b3139466857a305490575508a8b7a9fcf22"

static char root[32];
static const char *opened;	/* the path that every handle opens */
static int error;		/* or the error instead */
static int known_type;		/* of handles; 0: the kernel knows all */
static unsigned int calls;

/* replaces the C library's function, which needs privileges and a cgroup file system */
int open_by_handle_at(int mount_fd, struct file_handle *handle, int flags)
{
	__u64 id;

	assert_int_equal(handle->handle_bytes, sizeof(id));
	memcpy(&id, handle->f_handle, sizeof(id));
	assert_int_equal(id, ID);
	calls++;
	errno = known_type && handle->handle_type != known_type ? ESTALE : error;
	return errno ? -1 : openat(mount_fd, opened, flags);
}

static void make(const char *path)
{
	char cgroup[128], procs[160];
	int fd;

	snprintf(cgroup, sizeof(cgroup), "%s/%s", root, path);
	assert_int_equal(mkdir(cgroup, 0700), 0);
	snprintf(procs, sizeof(procs), "%s/cgroup.procs", cgroup);
	fd = open(procs, O_WRONLY | O_CREAT, 0600);
	assert_true(fd >= 0);
	close(fd);
}

static void mount(FILE *mountinfo, const char *point, const char *type, const char *options)
{
	fprintf(mountinfo, "31 30 0:29 / %s%s rw,relatime shared:9 - %s none rw%s\n", root, point,
		type, options);
}

static int make_tree(void **state)
{
	char path[128];
	FILE *file;

	strcpy(root, "/tmp/irqoff-test-XXXXXX");
	assert_non_null(mkdtemp(root));
	make("v1");
	make("v2");
	make("v2 more");
	make("v2/pod");
	make("v2/docker-" DOCKERS ".scope");
	snprintf(path, sizeof(path), "%s/v2/removed", root);
	assert_int_equal(mkdir(path, 0700), 0);
	snprintf(path, sizeof(path), "%s/mountinfo", root);
	file = fopen(path, "w");
	assert_non_null(file);
	mount(file, "", "tmpfs", "");
	mount(file, "/v2", "cgroup", ",cpu,cpuacct");
	mount(file, "/v1", "cgroup", ",cpu,memory");
	mount(file, "/v2", "cgroup2", "");
	fclose(file);
	return 0;
}

static int remove_tree(void **state)
{
	char command[64];

	snprintf(command, sizeof(command), "rm -r %s", root);
	return system(command);
}

static struct cgroups *open_tree(void)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/mountinfo", root);
	error = 0;
	known_type = 0;
	calls = 0;
	return cgroups_open(path);
}

static void assert_cgroup(struct cgroups *cgroups, bool v1, const char *path, const char *text,
			  enum cgroup_state state)
{
	const struct cgroup *cgroup = cgroups_find(cgroups, ID, v1);

	assert_string_equal(cgroup->path, path);
	assert_string_equal(cgroup->text, text);
	assert_int_equal(cgroup->state, state);
	cgroups_close(cgroups);
}

static void assert_path(const char *target, bool v1, const char *wanted)
{
	struct cgroups *cgroups = open_tree();

	opened = target;
	assert_cgroup(cgroups, v1, wanted, wanted, CGROUP_FOUND);
}

static void assert_unknown(struct cgroups *cgroups, bool v1)
{
	assert_cgroup(cgroups, v1, "cgroup:4242", "cgroup:4242", CGROUP_UNKNOWN);
}

static void assert_gone(struct cgroups *cgroups, bool v1)
{
	assert_cgroup(cgroups, v1, "cgroup:4242", "cgroup:4242 (gone)", CGROUP_GONE);
}

static void paths(void **state)
{
	assert_path("pod", false, "/pod");
	assert_path(".", false, "/");
	assert_path(".", true, "/");
}

/* newer kernels know either type */
static void handle_types(void **state)
{
	static const int types[] = { 0xfe, 1 };
	struct cgroups *cgroups;

	for (unsigned int i = 0; i < 2; i++) {
		opened = "pod";
		cgroups = open_tree();
		known_type = types[i];
		assert_cgroup(cgroups, false, "/pod", "/pod", CGROUP_FOUND);
		assert_int_equal(calls, i + 1);
		cgroups = open_tree();
		known_type = types[i];
		error = ESTALE;
		assert_gone(cgroups, false);
		cgroups = open_tree();
		known_type = types[i];
		error = EPERM;
		assert_unknown(cgroups, false);
	}
}

static void in_container(void **state)
{
	struct cgroups *cgroups = open_tree();
	const struct cgroup *cgroup;

	opened = "docker-" DOCKERS ".scope";
	cgroup = cgroups_find(cgroups, ID, false);
	assert_string_equal(cgroup->container->id, DOCKERS);
	assert_string_equal(cgroup->container->pod, "");
	cgroups_close(cgroups);
}

/* paths as a cgroup namespace's mount shows cgroups outside of it */
static void outside(void **state)
{
	char more[64];

	snprintf(more, sizeof(more), "%s/v2 more", root);
	opened = more;
	assert_unknown(open_tree(), false);
	opened = "../v2";
	assert_unknown(open_tree(), true);
}

static void gone(void **state)
{
	struct cgroups *cgroups;

	for (int v1 = 0; v1 < 2; v1++) {
		cgroups = open_tree();
		error = ESTALE;
		assert_gone(cgroups, v1);
	}
	/* it still opens, but is no longer a cgroup */
	opened = "removed";
	assert_gone(open_tree(), false);
}

/* a cgroup that the reader may not see is not gone */
static void not_gone(void **state)
{
	static const int errors[] = { EPERM, EACCES, ENOENT, ENOMEM, EMFILE, EOPNOTSUPP };
	struct cgroups *cgroups;

	for (size_t i = 0; i < ARRAY_SIZE(errors); i++) {
		cgroups = open_tree();
		error = errors[i];
		assert_unknown(cgroups, false);
	}
	error = ESTALE;
	calls = 0;
	assert_unknown(cgroups_open("/dev/null"), false);
	assert_unknown(cgroups_open("/nonexistent"), true);
	assert_int_equal(calls, 0);
}

/* escapes in a mount point; an octal number that is no character stays as it is */
static void escapes(void **state)
{
	static const char * const points[][2] = {
		{ "/v2/a\\040b", "v2/a b" }, { "/v2/\\303\\244", "v2/\xc3\xa4" },
		{ "/v2/b\\1", "v2/b\\1" }, { "/v2/b\\08", "v2/b\\08" },
		{ "/v2/b\\777", "v2/b\\777" }, { "/v2/b\\", "v2/b\\" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(points); i++) {
		struct cgroups *cgroups;
		FILE *file = tmpfile();

		make(points[i][1]);
		/* a longer line comes first; the rest of it must not be read again */
		mount(file, "/long/long/long/long/long/long", "tmpfs", "");
		mount(file, points[i][0], "cgroup2", "");
		rewind(file);
		cgroups = cgroups_read(file);
		fclose(file);
		opened = ".";
		error = 0;
		assert_cgroup(cgroups, false, "/", "/", CGROUP_FOUND);
	}
}

static void asks_once(void **state)
{
	struct cgroups *cgroups = open_tree();
	const struct cgroup *cgroup;

	opened = "pod";
	assert_null(cgroups_find(cgroups, 0, false));
	cgroup = cgroups_find(cgroups, ID, false);
	assert_ptr_equal(cgroups_find(cgroups, ID, false), cgroup);
	assert_int_equal(calls, 1);
	/* the same id, now another path */
	opened = ".";
	assert_string_equal(cgroups_find(cgroups, ID, true)->path, "/");
	assert_int_equal(calls, 2);
	assert_string_equal(cgroup->path, "/pod");
	/* and now it is found by another name in the same file system */
	cgroups_renew(&cgroups, "/nowhere");
	assert_string_equal(cgroups_find(cgroups, ID, false)->path, "/");
	assert_int_equal(calls, 3);
	cgroups_close(cgroups);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(paths),
		cmocka_unit_test(handle_types),
		cmocka_unit_test(in_container),
		cmocka_unit_test(outside),
		cmocka_unit_test(gone),
		cmocka_unit_test(not_gone),
		cmocka_unit_test(escapes),
		cmocka_unit_test(asks_once),
	};

	return cmocka_run_group_tests_name("cgroup", tests, make_tree, remove_tree);
}
