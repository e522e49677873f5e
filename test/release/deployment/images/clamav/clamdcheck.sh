#!/bin/bash
# The health check of docker.io/clamav/clamav, with Bash in place of nc. Source of the contract:
# github.com/Cisco-Talos/clamav-docker, clamav/1.4/alpine/scripts/clamdcheck.sh.
set -eu
exec 3<> /dev/tcp/localhost/3310
echo PING >&3
read -r answer <&3
[ "$answer" = PONG ]
