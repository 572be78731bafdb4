# SPDX-License-Identifier: GPL-2.0-only
# irqoff-serve, where libmicrohttpd is installed. It has all of the reader but main(), whose commands and formats it shares. Without
# that library, or with SERVE=0, irqoff serve says that the program is not installed.
SERVE ?= $(shell $(PKG_CONFIG) --exists libmicrohttpd && echo 1)
serve_objects := $(patsubst %.c,%.o,$(sort $(wildcard serve/*.c))) serve/reader_main.o

serve/%.o: serve/%.c
	$(call say,CC,$@)
	$(Q)$(CC) $(CPPFLAGS) $(shell $(PKG_CONFIG) --cflags libmicrohttpd) $(CFLAGS) -MMD -MP -c -o $@ $<

serve/reader_main.o: cli/main.c
	$(call say,CC,$@)
	$(Q)$(CC) $(CPPFLAGS) -DIRQOFF_TEST $(CFLAGS) -MMD -MP -c -o $@ $<

irqoff-serve: $(serve_objects) $(filter-out cli/main.o,$(objects))
	$(call say,LD,$@)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS) $(shell $(PKG_CONFIG) --libs libmicrohttpd)

$(serve_objects): | $(protobuf_generated)
