# SPDX-License-Identifier: GPL-2.0-only
# For people; kbuild and DKMS read Kbuild instead.
KDIR ?= /lib/modules/$(shell uname -r)/build
PREFIX ?= /usr/local
DESTDIR ?=

##@ Build and install
all: module tools ## build the module and the reader (the default)

module: ## build module/trace_irqoff.ko for KDIR, by default the running kernel
	@[ -d "$(KDIR)" ] || { echo "no kernel headers in $(KDIR): install them, or pass their directory as KDIR=DIR" >&2; exit 1; }
	$(MAKE) -C $(KDIR) M=$(CURDIR) modules

tools: ## build the reader, userspace/irqoff; needs no kernel headers
	$(MAKE) -C userspace

# A distribution's headers have neither the kernel's key nor its System.map. kbuild tries to sign and to run depmod all the same.
sig_key = $(or $(CONFIG_MODULE_SIG_KEY),$(shell sed -n 's/^CONFIG_MODULE_SIG_KEY="*\([^"]*\).*/\1/p' $(KDIR)/include/config/auto.conf))
not_there = $(if $(wildcard $(filter /%,$(sig_key)) $(KDIR)/$(sig_key))$(filter pkcs11:%,$(sig_key)),,CONFIG_MODULE_SIG_ALL=) \
	$(if $(wildcard $(KDIR)/System.map),,cmd_depmod=)

install: all install-selftest ## install the module, the reader, its manual pages and completion, the uapi header, and irqoff-selftest
	$(MAKE) -C $(KDIR) M=$(CURDIR) INSTALL_MOD_PATH=$(DESTDIR) $(not_there) modules_install
	[ -n "$(DESTDIR)" ] || depmod "$$(modinfo -F vermagic module/trace_irqoff.ko | cut -d ' ' -f 1)"
	$(MAKE) -C userspace install DESTDIR=$(DESTDIR) PREFIX=$(PREFIX)

uninstall: uninstall-selftest ## remove what install put there, but not what DKMS did
	release=$$(sed -n 's/^#define UTS_RELEASE "\(.*\)"$$/\1/p' $(KDIR)/include/generated/utsrelease.h) && [ -n "$$release" ] && \
		rm -f $(addsuffix /module/trace_irqoff.ko*,$(addprefix $(DESTDIR)/lib/modules/$$release/,extra updates)) && \
		{ [ -n "$(DESTDIR)" ] || depmod "$$release"; }
	$(MAKE) -C userspace uninstall DESTDIR=$(DESTDIR) PREFIX=$(PREFIX)

clean: ## remove what was built in the tree (downloads stay in the cache)
	-[ ! -d $(KDIR) ] || $(MAKE) -C $(KDIR) M=$(CURDIR) clean
	$(MAKE) -C userspace clean
	$(MAKE) -C tests/host/unit clean
	$(MAKE) -C tests/host/fuzz clean

##@ Try it
demo: ## boot a stock kernel in QEMU, make two real stalls and show the reports (as root)
	scripts/demo

selftest: tools ## make each kind of stall on this machine, and tell whether the module finds it (as root; asks first)
	userspace/selftest/irqoff-selftest

##@ Packages
deb: ## Debian packages, dist/SUITE/*.deb (SUITES="bookworm trixie"; default: all)
	scripts/setup vm
	scripts/packaging/deb $(SUITES)

rpm: ## RPMs, dist/rpm/*.rpm; with KERNEL_DEVEL=DIR the module for the kernel of those headers
	scripts/setup vm
	scripts/packaging/rpm-build $(KERNEL_DEVEL)

##@ Change it
unit: ## the reader, its unit tests and what else needs no guest: 3 minutes, any user
	@tests/unit

check: ## what each change has to pass: 15 minutes, as root; the first time 45
	tests/check

check-full: ## the rest of the tests, those of live CPUs too: half an hour; goes on where it was stopped
	tests/check --full

check-all: ## everything on every kernel: hours; goes on where it was stopped
	tests/check --all

lint: ## check the style of all files (as root; makes a root of 1 GB)
	scripts/lint

# A target with "##" is listed, below the line that begins with its "##@".
help:
	@awk -F ':.*## ' '/^##@/ { printf "\n%s\n", substr($$0, 5) } /^[a-z-]+:.*## / { printf "  %-12s %s\n", $$1, $$2 }' Makefile
	@printf '\n%s\n' 'docs/testing/README.md and CONTRIBUTING.md say more. Variables: KDIR=$(KDIR) PREFIX=$(PREFIX) DESTDIR=$(DESTDIR)'

# what irqoff-selftest consists of, below share/trace-irqoff as in this tree
selftest_files = Kbuild module userspace/selftest scripts/vm/log-gate
share = $(DESTDIR)$(PREFIX)/share/trace-irqoff

# install irqoff-selftest and its sources
install-selftest:
	@mkdir -p $(share) $(DESTDIR)$(PREFIX)/sbin $(DESTDIR)$(PREFIX)/share/man/man8
	tar --create --exclude='*.ko' --exclude='*.o' --exclude='*.mod*' --exclude='.*.cmd' --exclude=modules.order --exclude=Module.symvers \
		$(selftest_files) | tar --extract --no-same-owner --directory=$(share)
	ln -sf ../share/trace-irqoff/userspace/selftest/irqoff-selftest $(DESTDIR)$(PREFIX)/sbin/irqoff-selftest
	install -m 0644 userspace/man/irqoff-selftest.8 $(DESTDIR)$(PREFIX)/share/man/man8/

# remove what install-selftest put there
uninstall-selftest:
	rm -rf $(share)
	rm -f $(DESTDIR)$(PREFIX)/sbin/irqoff-selftest $(DESTDIR)$(PREFIX)/share/man/man8/irqoff-selftest.8

# run the tests of packaging, speed and other tools, and the fuzzers (as root)
check-release:
	tests/check --release

# run everything at once for ten minutes a kernel, stock and debug (STRESS_SECONDS=N)
stress:
	scripts/setup check
	STRESS_CPUS=8 STRESS_SECONDS=$${STRESS_SECONDS:-600} prove --timer --verbose --exec tests/run-test \
		$(addprefix tests/guest/live/stress.t@,$(or $(KERNELS),6.1 6.1-debug)) < /dev/null

# print which kinds of stall are found on every kernel, and the KUnit summary
table:
	scripts/setup check
	tests/table

# print on which kernels and preemption models it builds, loads and finds stalls (10 minutes; more the first time)
matrix:
	scripts/setup check
	tests/matrix

# print how many stalls are found and named right, by kind, length and kernel
truth:
	scripts/setup check
	tests/truth

# print whom records blame while a host stops the CPUs all the time (10 minutes)
steal:
	scripts/setup check
	tests/steal

# print whom the reader blames for stalls of real kernel code, beside whom the kernel's source blames
real:
	scripts/setup check
	tests/real

# print whom correlate blames for replies that came late for known reasons, beside the reasons (15 minutes)
cases:
	scripts/setup check
	tests/cases/run

# break each promise and see its test fail: hours
mutate:
	scripts/setup check
	tests/mutate

# measure what watching and reading cost, in virtual machines
bench:
	scripts/bench
	scripts/setup check
	tests/bench-reader

# feed random input to what the reader parses, FUZZ_SECONDS each (60)
fuzz:
	scripts/setup check
	$(MAKE) -C tests/host/fuzz run

# print the version, which module/version.h alone says
version:
	@sed -n 's/^#define TRACE_IRQOFF_VERSION[[:space:]]*"\(.*\)"$$/\1/p' module/version.h

# write the source as dist/trace-irqoff-VERSION.tar.gz, the same bytes each time
dist:
	@scripts/packaging/dist

# let Prometheus, node_exporter, ClickHouse and Kubernetes take what nodes and scripts/fleet give them
consumers:
	scripts/setup consumers
	tests/consumers/run

# let the Debian packages live in roots of their suites, and on booted nodes (SUITES="..."; hours for all four)
fleet-check:
	scripts/setup check
	tests/fleet/run $(SUITES)

.PHONY: all help module tools selftest install-selftest uninstall-selftest install uninstall demo unit check check-full check-release check-all stress table matrix truth steal real cases mutate bench fuzz lint version dist deb rpm consumers fleet-check clean
