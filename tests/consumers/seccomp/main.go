// SPDX-License-Identifier: GPL-2.0-only

// seccomp containerd|docker CAPABILITY...: prints the runtime's default profile for a container with these capabilities, as
// config.json of an OCI bundle has it. RuntimeDefault of a pod is this.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/containerd/containerd/v2/contrib/seccomp"
	moby "github.com/moby/profiles/seccomp"
	specs "github.com/opencontainers/runtime-spec/specs-go"
)

func profile(runtime string, spec *specs.Spec) (*specs.LinuxSeccomp, error) {
	switch runtime {
	case "containerd":
		return seccomp.DefaultProfile(spec), nil
	case "docker":
		return moby.GetDefaultProfile(spec)
	}
	return nil, fmt.Errorf("no profile of %q is known", runtime)
}

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: seccomp containerd|docker CAPABILITY...")
		os.Exit(2)
	}
	found, err := profile(os.Args[1], &specs.Spec{
		Process: &specs.Process{Capabilities: &specs.LinuxCapabilities{
			Bounding: os.Args[2:], Effective: os.Args[2:], Permitted: os.Args[2:],
		}},
		Linux: &specs.Linux{},
	})
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(found)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "seccomp:", err)
		os.Exit(1)
	}
}
