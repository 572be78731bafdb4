// SPDX-License-Identifier: GPL-2.0-only
/*
 * The forms of a path, and where they are made. Pods: Kubernetes in pkg/kubelet/cm
 * (UIDs also in pkg/kubelet/config). Containers: containerd in getCgroupsPath(), CRI-O
 * in internal/config/cgmgr, podman in libpod/container.go, docker and nerdctl in their
 * requests to runc.
 *
 *	.../kubepods-burstable.slice/kubepods-burstable-pod<UID>.slice/crio-<ID>.scope
 *	.../kubepods/burstable/pod<UID>/<ID>
 *	.../kubepods-burstable-pod<UID>.slice:cri-containerd:<ID>
 *	.../docker/<ID>
 */
#include <stdbool.h>
#include <string.h>

#include "base/say.h"
#include "model/container.h"

#define HASH_LEN	32	/* the UID of a static pod */

/* what stands between two slashes of a path, or a piece of that */
struct part {
	const char *text;
	size_t len;
};

/* what the part before was */
enum place {
	PLACE_OTHER,
	PLACE_KUBEPODS,
	PLACE_POD,
	PLACE_DOCKER,
};

static bool is_word(struct part part, const char *word)
{
	return part.len == strlen(word) && !memcmp(part.text, word, part.len);
}

static bool drop_head(struct part *part, const char *head)
{
	size_t len = strlen(head);

	if (part->len < len || memcmp(part->text, head, len))
		return false;
	part->text += len;
	part->len -= len;
	return true;
}

static bool drop_tail(struct part *part, const char *tail)
{
	size_t len = strlen(tail);

	if (part->len < len || memcmp(part->text + part->len - len, tail, len))
		return false;
	part->len -= len;
	return true;
}

static bool is_hex(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!memchr("0123456789abcdef", text[i], 16))
			return false;
	return true;
}

/* slices have underscores in place of dashes, because a dash begins a child there */
static bool is_uuid(const char *text)
{
	static const unsigned int groups[] = { 8, 4, 4, 4, 12 };
	char dash = text[groups[0]];

	if (dash != '-' && dash != '_')
		return false;
	for (unsigned int i = 0; i < ARRAY_SIZE(groups); i++) {
		if (i && *text++ != dash)
			return false;
		if (!is_hex(text, groups[i]))
			return false;
		text += groups[i];
	}
	return true;
}

static size_t uid_len(struct part part)
{
	const char *end = part.text + part.len;

	if (part.len >= CONTAINER_POD_LEN && is_uuid(end - CONTAINER_POD_LEN))
		return CONTAINER_POD_LEN;
	if (part.len >= HASH_LEN && is_hex(end - HASH_LEN, HASH_LEN))
		return HASH_LEN;
	return 0;
}

/* cuts a UID off the end of a part, and copies it with dashes */
static bool drop_uid(struct part *part, char *uid)
{
	size_t len = uid_len(*part);

	part->len -= len;
	for (size_t i = 0; i < len; i++)
		uid[i] = part->text[part->len + i] == '_' ? '-' : part->text[part->len + i];
	uid[len] = '\0';
	return len;
}

static bool find_pod(struct part part, enum place place, char *uid)
{
	bool slice = drop_tail(&part, ".slice");
	char found[CONTAINER_POD_LEN + 1];

	if (!drop_uid(&part, found) || !drop_tail(&part, "pod"))
		return false;
	if (slice) {
		/* the name of a slice begins with its parent's name */
		if (!drop_tail(&part, "kubepods-burstable-") &&
		    !drop_tail(&part, "kubepods-besteffort-") && !drop_tail(&part, "kubepods-"))
			return false;
		if (part.len && part.text[part.len - 1] != '-')
			return false;
	} else if (part.len || place != PLACE_KUBEPODS) {
		return false;
	}
	strcpy(uid, found);
	return true;
}

/*
 * Drops a runtime's name before an ID. conmon is not a runtime: it supervises a container
 * from a cgroup with the container's ID, and is not in the container.
 */
static bool drop_runtime(struct part *part, const char *end)
{
	static const char * const runtimes[] = {
		"cri-containerd", "crio", "docker", "libpod", "libpod-payload", "nerdctl",
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(runtimes); i++) {
		struct part rest = *part;

		if (drop_head(&rest, runtimes[i]) && drop_head(&rest, end) &&
		    rest.len == CONTAINER_ID_LEN) {
			*part = rest;
			return true;
		}
	}
	return false;
}

/* a container around a pod is a whole node, as kind runs them, and is forgotten */
static bool take_pod(struct container *container, struct part part, enum place place)
{
	if (!find_pod(part, place, container->pod))
		return false;
	container->id[0] = '\0';
	return true;
}

static bool take_id(struct container *container, struct part part)
{
	if (part.len != CONTAINER_ID_LEN || !is_hex(part.text, part.len))
		return false;
	memcpy(container->id, part.text, part.len);
	container->id[part.len] = '\0';
	return true;
}

/* "SLICE:RUNTIME:ID": a path for the systemd driver that the cgroupfs driver took as it is */
static void take_request(struct container *container, struct part slice, struct part name)
{
	struct container found = *container;

	take_pod(&found, slice, PLACE_OTHER);
	if (drop_runtime(&name, ":") && take_id(&found, name))
		*container = found;
}

static enum place take_part(struct container *container, struct part part, enum place place)
{
	const char *colon = memchr(part.text, ':', part.len);
	struct part name = part;

	if (colon) {
		size_t len = colon - part.text;

		take_request(container, (struct part){ part.text, len },
			     (struct part){ colon + 1, part.len - len - 1 });
		return PLACE_OTHER;
	}
	if (take_pod(container, part, place))
		return PLACE_POD;
	drop_tail(&name, ".scope");
	if (drop_runtime(&name, "-"))
		take_id(container, name);
	else if (place == PLACE_POD || place == PLACE_DOCKER)
		take_id(container, part);
	if (is_word(part, "docker"))
		return PLACE_DOCKER;
	if (is_word(part, "kubepods"))
		return PLACE_KUBEPODS;
	if (is_word(part, "burstable") || is_word(part, "besteffort"))
		return place == PLACE_KUBEPODS ? place : PLACE_OTHER;
	return PLACE_OTHER;
}

/**
 * container_find() - find a cgroup's pod and container by its path
 * @container: the innermost ones; empty where the path has no known form
 * @path: the cgroup's path
 */
void container_find(struct container *container, const char *path)
{
	enum place place = PLACE_OTHER;

	*container = (struct container){ 0 };
	while (*path) {
		struct part part = { path, strcspn(path, "/") };

		/* a doubled slash is no part */
		if (part.len)
			place = take_part(container, part, place);
		path += part.len;
		path += strspn(path, "/");
	}
}
