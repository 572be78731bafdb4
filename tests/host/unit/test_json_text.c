// SPDX-License-Identifier: GPL-2.0-only
/* JSON that is written without a tree is what json-c prints of the tree, byte for byte. */
#include "fixture.h"

#include <json-c/json.h>

#include "base/json_text.h"

#define DEEPEST		4
#define TREES		300

static __u32 state = 1;

static unsigned int below(unsigned int bound)
{
	state = state * 1664525 + 1013904223;
	return (state >> 8) % bound;
}

/* any bytes but the NUL, mostly those that need escaping */
static struct json_object *any_string(void)
{
	char bytes[12] = "";
	unsigned int len = below(sizeof(bytes));

	for (unsigned int i = 0; i < len; i++)
		bytes[i] = 1 + below(below(2) ? 35 : 255);
	return json_object_new_string(bytes);
}

static struct json_object *any_number(void)
{
	static const __u64 numbers[] = { 0, 1, 9, 10, 4294967295, INT64_MAX };

	return json_object_new_int64(numbers[below(ARRAY_SIZE(numbers))]);
}

static struct json_object *any_tree(unsigned int depth)
{
	struct json_object *tree;
	unsigned int count = below(4);
	bool array = below(2);
	char key[16];

	switch (depth < DEEPEST ? below(7) : below(4)) {
	case 0:
		return NULL;
	case 1:
		return json_object_new_boolean(below(2));
	case 2:
		return any_number();
	case 3:
		return any_string();
	}
	tree = array ? json_object_new_array() : json_object_new_object();
	for (unsigned int i = 0; i < count; i++) {
		snprintf(key, sizeof(key), "key_%u", i);
		if (array)
			json_object_array_add(tree, any_tree(depth + 1));
		else
			json_object_object_add(tree, key, any_tree(depth + 1));
	}
	return tree;
}

static void write_tree(struct json_text *text, const char *key, struct json_object *tree)
{
	switch (json_object_get_type(tree)) {
	case json_type_null:
		json_text_null(text, key);
		break;
	case json_type_boolean:
		json_text_bool(text, key, json_object_get_boolean(tree));
		break;
	case json_type_int:
		json_text_number(text, key, json_object_get_int64(tree));
		break;
	case json_type_string:
		json_text_string(text, key, json_object_get_string(tree));
		break;
	case json_type_array:
		json_text_open(text, key, '[');
		for (size_t i = 0; i < json_object_array_length(tree); i++)
			write_tree(text, NULL, json_object_array_get_idx(tree, i));
		json_text_close(text, ']');
		break;
	default:
		json_text_open(text, key, '{');
		json_object_object_foreach(tree, name, value)
			write_tree(text, name, value);
		json_text_close(text, '}');
	}
}

static void assert_same(struct json_object *tree, bool pretty)
{
	struct json_text text = { .pretty = pretty };
	int how = JSON_C_TO_STRING_NOSLASHESCAPE;

	if (pretty)
		how |= JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED;
	write_tree(&text, NULL, tree);
	assert_string_equal(text.bytes, json_object_to_json_string_ext(tree, how));
	assert_int_equal(text.len, strlen(text.bytes));
	free(text.bytes);
}

static void trees(void **unused)
{
	for (unsigned int i = 0; i < TREES; i++) {
		struct json_object *tree = any_tree(0);

		assert_same(tree, false);
		assert_same(tree, true);
		json_object_put(tree);
	}
}

static void every_byte(void **unused)
{
	for (int byte = 1; byte < 256; byte++) {
		char bytes[] = { 'a', byte, byte, 'b', '\0' };
		struct json_object *string = json_object_new_string(bytes);

		assert_same(string, false);
		json_object_put(string);
	}
}

/* what 64 bits have more than json-c's numbers */
static void numbers(void **unused)
{
	static const __u64 all[] = { INT64_MAX + 1ULL, ~0ULL };
	struct json_text text = { 0 };

	json_text_open(&text, NULL, '[');
	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		json_text_number(&text, NULL, all[i]);
	json_text_signed(&text, NULL, -1);
	json_text_signed(&text, NULL, INT64_MIN);
	json_text_close(&text, ']');
	assert_string_equal(text.bytes,
			    "[9223372036854775808,18446744073709551615,-1,-9223372036854775808]");
	free(text.bytes);
}

static void hides(void **unused)
{
	static const char * const keys[] = { "name", "number", NULL };
	static const char wanted[] =
		"{\"first\":1,\"name\":null,\"number\":null,\"other\":7,\"unknown\":null}";
	struct json_text text = { .hidden = keys };

	json_text_open(&text, NULL, '{');
	json_text_members(&text, "{\"first\":1}");
	json_text_string(&text, "name", "x");
	json_text_known(&text, "number", true, 7);
	json_text_known(&text, "other", true, 7);
	json_text_known(&text, "unknown", false, 7);
	json_text_close(&text, '}');
	assert_string_equal(text.bytes, wanted);
	free(text.bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(trees),
		cmocka_unit_test(every_byte),
		cmocka_unit_test(numbers),
		cmocka_unit_test(hides),
	};

	return cmocka_run_group_tests_name("json_text", tests, NULL, NULL);
}
