#!/bin/sh
# Restarts replicas one after the other, so that nobody notices:
#
#   rolling-restart.sh https://api.example.com/up 8081 8082
#
# The address is that of the load balancer, which hears there that a replica drains; the ports are the replicas'.
set -eu

up=$1
shift

for port in "$@"; do
  echo "parley@$port: restarting"
  systemctl restart --no-block "parley@$port"

  # While it drains, asked twice a second, whichever replica answers.
  asked=0
  while [ "$asked" -lt 20 ]; do
    curl -ks -o /dev/null --max-time 2 "$up" || true
    asked=$((asked + 1))
    sleep 0.5
  done

  # The one that drained refuses; the next one is up.
  curl -fsS -o /dev/null --retry 60 --retry-all-errors --retry-delay 1 "http://127.0.0.1:$port/up"
  # nginx gives it calls again ten seconds after it last failed.
  sleep 11
  echo "parley@$port: up"
done
