# SPDX-License-Identifier: GPL-2.0-only
# For the Makefiles that compile the reader: irqoff export's formats of protobuf, where protobuf-c, its compiler and zlib are
# installed. Without them, or with PROTOBUF=0, irqoff says that it was built without. $(reader) is the path of this directory.
PROTOBUF ?= $(shell command -v protoc-c > /dev/null && $(PKG_CONFIG) --exists libprotobuf-c zlib && echo 1)
ifeq ($(PROTOBUF),1)
packages += libprotobuf-c zlib
protobuf_generated := proto/profile.pb-c.c proto/perfetto_trace.pb-c.c
protobuf_left_out := $(reader)/out_protobuf_none.c
override CPPFLAGS += -Iproto
else
protobuf_left_out := $(addprefix $(reader)/,out_pprof.c out_perfetto.c gzip.c)
endif

# the sources of the reader that are compiled here
reader_sources := $(filter-out $(protobuf_left_out),$(wildcard $(reader)/*.c))

# whole at once, because programs of several tests are made at the same time
proto/%.pb-c.c: $(reader)/proto/%.proto
	@mkdir -p proto
	$(Q)new=$$(mktemp -d proto/new-XXXXXX) && protoc-c --proto_path=$(<D) --c_out=$$new $< && \
		mv $$new/$*.pb-c.h $$new/$*.pb-c.c proto && rmdir $$new
