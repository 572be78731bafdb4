// SPDX-License-Identifier: GPL-2.0-only
#include "fixture.h"

#include "model/container.h"

#define UID	"6ba7b810-9dad-11d1-80b4-00c04fd430c8"
#define UID_	"6ba7b810_9dad_11d1_80b4_00c04fd430c8"
#define OTHER	"0e886e9a-3879-45f9-b44d-86ef9df03224"
#define OTHER_	"0e886e9a_3879_45f9_b44d_86ef9df03224"
#define HASH	"b1e89a2fcc688644de3eb95aee8025ce"
#define ID	"2f6b6e2b6f9d0c4a8e1b3d5f708192a3b4c5d6e7f8091a2b3c4d5e6f70819203"
#define NODE	"d6701ec289c56e4391acb11d07474b3139466857a305490575508a8b7a9fcf22"
#define ID_63	"2f6b6e2b6f9d0c4a8e1b3d5f708192a3b4c5d6e7f8091a2b3c4d5e6f7081920"

/* systemd's slices around a pod's slice, and the beginning of that slice's name */
#define GUARANTEED	"/kubepods.slice/kubepods-pod"
#define BURSTABLE	"/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod"
#define BESTEFFORT	"/kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-pod"
#define IN_DOCKER	"/system.slice/docker-" NODE ".scope"
#define IN_KIND		"/kubelet.slice/kubelet-kubepods.slice"
#define KIND_GUARANTEED	IN_KIND "/kubelet-kubepods-pod"
#define KIND_BURSTABLE	IN_KIND "/kubelet-kubepods-burstable.slice/kubelet-kubepods-burstable-pod"

struct found {
	const char *path;
	const char *pod;
	const char *id;
};

static void assert_found(const struct found *cases, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		/* a copy of the exact size, so that ASan sees reads beyond it */
		char *path = copy_text(cases[i].path);
		struct container container;

		memset(&container, 'x', sizeof(container));
		container_find(&container, path);
		if (strcmp(container.pod, cases[i].pod) || strcmp(container.id, cases[i].id))
			fail_msg("'%s' is of pod '%s', container '%s'", path, container.pod,
				 container.id);
		free(path);
	}
}

static void made_by_systemd(void **state)
{
	static const struct found cases[] = {
		{ BURSTABLE UID_ ".slice/cri-containerd-" ID ".scope", UID, ID },
		{ BESTEFFORT UID_ ".slice/crio-" ID ".scope", UID, ID },
		{ GUARANTEED UID_ ".slice/docker-" ID ".scope", UID, ID },
		{ BURSTABLE HASH ".slice/cri-containerd-" ID ".scope", HASH, ID },
		{ GUARANTEED HASH ".slice/crio-" ID ".scope", HASH, ID },
		/* the kubelet uses the systemd cgroup driver, docker does not */
		{ BESTEFFORT UID_ ".slice/" ID, UID, ID },
		{ BURSTABLE UID_ ".slice", UID, "" },
		{ GUARANTEED UID_ ".slice/", UID, "" },
		{ KIND_BURSTABLE UID_ ".slice/cri-containerd-" ID ".scope", UID, ID },
		{ KIND_GUARANTEED HASH ".slice/cri-containerd-" ID ".scope", HASH, ID },
		{ "/user.slice/user-1000.slice/user@1000.service/k3s-rootless.service"
		  BURSTABLE UID_ ".slice/cri-containerd-" ID ".scope", UID, ID },
	};

	assert_found(cases, ARRAY_SIZE(cases));
}

static void made_without_systemd(void **state)
{
	static const struct found cases[] = {
		{ "/kubepods/burstable/pod" UID "/" ID, UID, ID },
		{ "/kubepods/besteffort/pod" UID "/" ID, UID, ID },
		{ "/kubepods/pod" UID "/" ID, UID, ID },
		{ "/kubepods/pod" UID "/crio-" ID, UID, ID },
		{ "/kubepods/burstable/pod" HASH "/" ID, HASH, ID },
		{ "/kubepods/burstable/pod" UID, UID, "" },
		{ "/kubelet/kubepods/burstable/pod" UID "/" ID, UID, ID },
		/* the kubelet uses the systemd cgroup driver, containerd does not */
		{ "/system.slice/containerd.service/kubepods-burstable-pod" UID_
		  ".slice:cri-containerd:" ID, UID, ID },
		{ "/kubepods-pod" HASH ".slice:cri-containerd:" ID "/init", HASH, ID },
	};

	assert_found(cases, ARRAY_SIZE(cases));
}

static void no_pod(void **state)
{
	static const struct found cases[] = {
		{ "/docker/" ID, "", ID },
		{ "/system.slice/docker-" ID ".scope", "", ID },
		{ "/user.slice/user-1000.slice/user@1000.service/app.slice/docker-" ID ".scope",
		  "", ID },
		{ "/system.slice/crio-" ID ".scope", "", ID },
		{ "/crio/crio-" ID, "", ID },
		{ "/system.slice/nerdctl-" ID ".scope", "", ID },
		{ "/system.slice:nerdctl:" ID, "", ID },
		{ "/machine.slice/libpod-" ID ".scope", "", ID },
		{ "/machine.slice/libpod-" ID ".scope/container", "", ID },
		{ "/machine.slice/machine-libpod_pod_" NODE ".slice/libpod-" ID ".scope", "", ID },
		{ "/libpod_parent/libpod-" ID, "", ID },
		{ "/system.slice/web.service/libpod-payload-" ID, "", ID },
	};

	assert_found(cases, ARRAY_SIZE(cases));
}

/* cgroups below a container's own; containers in containers */
static void nested(void **state)
{
	static const struct found cases[] = {
		{ "/docker/" ID "/init", "", ID },
		{ "/kubepods/burstable/pod" UID "/" ID "/system.slice/ssh.service", UID, ID },
		{ BURSTABLE UID_ ".slice/crio-" ID ".scope/container/a/b", UID, ID },
		{ "/docker/" NODE "/docker/" ID, "", ID },
		{ "/docker/" NODE "/system.slice/docker-" ID ".scope", "", ID },
		/* docker in a pod */
		{ "/kubepods/burstable/pod" UID "/" NODE "/docker/" ID, UID, ID },
		{ BURSTABLE UID_ ".slice/cri-containerd-" NODE ".scope/docker/" ID "/init",
		  UID, ID },
		/* a node in a container; its own processes are in no pod */
		{ "/docker/" NODE "/kubelet/kubepods/burstable/pod" UID "/" ID, UID, ID },
		{ IN_DOCKER KIND_BURSTABLE UID_ ".slice/cri-containerd-" ID ".scope", UID, ID },
		{ "/docker/" NODE "/kubelet.slice/kubelet.service", "", NODE },
		{ "/docker/" NODE "/kubelet/kubepods/burstable", "", NODE },
		/* the node's container is not a container of the pod */
		{ "/docker/" NODE "/kubelet/kubepods/burstable/pod" UID, UID, "" },
		{ "/docker/" NODE "/kubepods-pod" UID_ ".slice:cri-containerd:" ID, UID, ID },
		/* a node in a pod */
		{ "/kubepods/pod" OTHER "/" NODE "/kubelet/kubepods/burstable/pod" UID "/" ID,
		  UID, ID },
		{ BURSTABLE OTHER_ ".slice/crio-" NODE ".scope" KIND_BURSTABLE UID_ ".slice", UID,
		  "" },
	};

	assert_found(cases, ARRAY_SIZE(cases));
}

/* conmon runs outside of the container that it watches */
static void watched_from_outside(void **state)
{
	static const struct found cases[] = {
		{ "/system.slice/crio-conmon-" ID ".scope", "", "" },
		{ BURSTABLE UID_ ".slice/crio-conmon-" ID ".scope", UID, "" },
		{ "/kubepods/burstable/pod" UID "/crio-conmon-" ID, UID, "" },
		{ "/machine.slice/libpod-conmon-" ID ".scope", "", "" },
	};

	assert_found(cases, ARRAY_SIZE(cases));
}

static void something_else(void **state)
{
	static const struct found cases[] = {
		{ "", "", "" },
		{ "/", "", "" },
		{ "////", "", "" },
		{ "cgroup:4242", "", "" },
		{ ":", "", "" },
		{ "::", "", "" },
		{ "/system.slice/ssh.service", "", "" },
		{ "/user.slice/user-1000.slice/session-2.scope", "", "" },
		{ "/kubepods", "", "" },
		{ "/kubepods.slice/kubepods-burstable.slice", "", "" },
		{ "/kubepods.slice/kubepods-pod.slice", "", "" },
		{ "/kubepods/pod", "", "" },
		{ "/kubepods/burstable/pod1", "", "" },
		{ "/system.slice/docker-.scope", "", "" },
		{ "/docker/buildkit", "", "" },
		{ "/docker/", "", "" },
		{ "/docker", "", "" },
		{ "docker-", "", "" },
		{ ".scope", "", "" },
		{ ".slice", "", "" },
		{ "/machine.slice/machine-qemu\\x2d1\\x2dweb.scope", "", "" },
		{ "/system.slice/var-lib-docker-containers-" ID "-mounts-shm.mount", "", "" },
		{ "/system.slice/docker-" ID ".mount", "", "" },
		/* an id without a name that marks it as one */
		{ "/" ID, "", "" },
		{ "/jobs/" ID, "", "" },
		{ "/docker/a/" ID, "", "" },
		{ "/kubepods/burstable/" ID, "", "" },
		{ "/system.slice/web-" ID ".scope", "", "" },
		{ "/system.slice/mydocker-" ID ".scope", "", "" },
		/* a pod's name outside of the kubelet's cgroups */
		{ "/pod" UID "/" ID, "", "" },
		{ "/jobs/burstable/pod" UID, "", "" },
		{ "/kubepods/jobs/pod" UID, "", "" },
		{ "/jobs-pod" UID_ ".slice", "", "" },
		{ "/mykubepods-pod" UID_ ".slice", "", "" },
		{ "/kubepods-guaranteed-pod" UID_ ".slice", "", "" },
		{ "/kubepods.slice/kubepods-pod" UID_ ".scope", "", "" },
		{ "/kubepods/mypod" UID, "", "" },
	};

	assert_found(cases, ARRAY_SIZE(cases));
}

static void malformed(void **state)
{
	static const struct found cases[] = {
		{ "/docker/" ID_63, "", "" },
		{ "/docker/" ID "0", "", "" },
		{ "/docker/" ID_63 "g", "", "" },
		{ "/docker/" ID_63 "A", "", "" },
		{ "/docker/" ID_63 "\xff", "", "" },
		{ "/system.slice/docker-" ID_63 ".scope", "", "" },
		{ "/system.slice/docker-" ID "0.scope", "", "" },
		{ "/system.slice/docker-" ID_63 "A.scope", "", "" },
		{ "/docker/" ID ".scope", "", "" },
		{ GUARANTEED UID_ ".slice/crio-" ID_63 ".scope", UID, "" },
		{ "/kubepods/pod" UID "/" ID_63, UID, "" },
		{ "/kubepods/pod" UID "/" ID_63 "/" ID, UID, "" },
		/* without the inner container's id, the outer container counts */
		{ "/docker/" NODE "/docker/" ID_63, "", NODE },
		{ GUARANTEED "6BA7B810_9DAD_11D1_80B4_00C04FD430C8.slice", "", "" },
		{ GUARANTEED "6ba7b810_9dad_11d1_80b4_00c04fd430c.slice", "", "" },
		{ GUARANTEED "6ba7b810_9dad_11d1_80b4_00c04fd430c80.slice", "", "" },
		{ GUARANTEED "6ba7b810_9dad-11d1_80b4_00c04fd430c8.slice", "", "" },
		{ GUARANTEED "6ba7b810.9dad.11d1.80b4.00c04fd430c8.slice", "", "" },
		{ GUARANTEED "6ba7b8109_dad_11d1_80b4_00c04fd430c8.slice", "", "" },
		{ GUARANTEED "b1e89a2fcc688644de3eb95aee8025c.slice", "", "" },
		{ GUARANTEED "b1e89a2fcc688644de3eb95aee8025ce0.slice", "", "" },
		{ GUARANTEED "B1E89A2FCC688644DE3EB95AEE8025CE.slice", "", "" },
		{ "/kubepods/pod6ba7b810-9dad-11d1-80b4/" ID, "", "" },
		/* without the id it is neither a container's nor the pod's */
		{ "/kubepods-pod" UID_ ".slice:cri-containerd:", "", "" },
		{ "/kubepods-pod" UID_ ".slice:cri-containerd:" ID_63, "", "" },
		{ "/kubepods-pod" UID_ ".slice:cri-containerd:" ID_63 "g", "", "" },
		{ "/kubepods-pod" UID_ ".slice:" ID, "", "" },
		{ "/kubepods-pod" UID_ ".slice::" ID, "", "" },
		{ "/kubepods-pod" UID_ ":cri-containerd:" ID, "", ID },
		{ ":cri-containerd:" ID, "", ID },
		{ "//kubepods//pod" UID "//" ID "//", UID, ID },
		{ "kubepods/pod" UID "/" ID, UID, ID },
	};

	assert_found(cases, ARRAY_SIZE(cases));
}

static void very_long(void **state)
{
	static const char tail[] = "/kubepods/burstable/pod" UID "/" ID;
	size_t len = 1 << 20;
	char *path = alloc(len + sizeof(tail), 1);
	struct container container;

	for (const char *c = "a0-_/:."; *c; c++) {
		memset(path, *c, len);
		path[len] = '\0';
		container_find(&container, path);
		assert_string_equal(container.pod, "");
		assert_string_equal(container.id, "");
		strcpy(path + len, tail);
		container_find(&container, path);
		assert_string_equal(container.pod, UID);
		assert_string_equal(container.id, ID);
	}
	free(path);
}

static void assert_well_formed(const char *text)
{
	char *path = copy_text(text);
	struct container container;

	container_find(&container, path);
	if (*container.pod)
		assert_true(strlen(container.pod) == strlen(UID) ||
			    strlen(container.pod) == strlen(HASH));
	if (*container.id)
		assert_int_equal(strlen(container.id), strlen(ID));
	free(path);
}

/* each character changed or removed, with and without the text before it */
static void mangled(void **state)
{
	static const char * const paths[] = {
		"/docker/" NODE KIND_BURSTABLE UID_ ".slice/cri-containerd-" ID ".scope/init",
		"/kubepods/burstable/pod" HASH "/crio-" ID,
		"/a/kubepods-burstable-pod" UID_ ".slice:cri-containerd:" ID,
	};
	static const char changes[] = "/:-_.\377A0";

	for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
		for (size_t at = 0; at < strlen(paths[i]); at++) {
			char *path = copy_text(paths[i]);

			for (size_t k = 0; k < sizeof(changes); k++) {
				path[at] = changes[k];
				assert_well_formed(path);
				assert_well_formed(path + at);
			}
			free(path);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(made_by_systemd),
		cmocka_unit_test(made_without_systemd),
		cmocka_unit_test(no_pod),
		cmocka_unit_test(nested),
		cmocka_unit_test(watched_from_outside),
		cmocka_unit_test(something_else),
		cmocka_unit_test(malformed),
		cmocka_unit_test(very_long),
		cmocka_unit_test(mangled),
	};

	return cmocka_run_group_tests_name("container", tests, NULL, NULL);
}
