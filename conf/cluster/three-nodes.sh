#!/bin/sh
# Three nodes and their PostgreSQL on this machine, to try a cluster out. Nothing here is for earnest use.
#
#   three-nodes.sh up         starts what is not there yet, prints the URLs of the nodes
#   three-nodes.sh kill N     kill -9 of node N's runtime; `up` starts it again
#   three-nodes.sh cut N      cuts node N off from the database, not from the event bus
#   three-nodes.sh heal N     lets it in again
#   three-nodes.sh stop N     an orderly end of node N
#   three-nodes.sh status     which nodes there are, by the first that answers
#   three-nodes.sh down       ends everything; the folder stays, remove it to start again
#
# LOOPKEEPER_TRY    where everything is kept; default ./three-nodes
# LOOPKEEPER        the program; default loopkeeper
# PG_PORT, BUS_PORT of the database, default 15432; of the event bus, default 15701, which takes three and those 100 above
# PG_BIN            where initdb and pg_ctl are; default the newest below /usr/lib/postgresql, else the PATH
set -eu

folder=${LOOPKEEPER_TRY:-three-nodes}
program=${LOOPKEEPER:-loopkeeper}
nodes="1 2 3"

fail() {
    echo "three-nodes.sh: $1" >&2
    exit 2
}

bin() {
    if [ -n "${PG_BIN:-}" ]; then echo "$PG_BIN"; return; fi
    newest=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1)
    if [ -n "$newest" ]; then echo "$newest"; return; fi
    found=$(command -v initdb) || fail "initdb is not here; install PostgreSQL 14 or newer, or set PG_BIN"
    dirname "$found"
}

# Checked first; otherwise only the log of a node would name what is missing.
need() {
    pg=$(bin)
    for tool in initdb pg_ctl psql createdb createuser; do
        [ -x "$pg/$tool" ] || fail "$tool is not in $pg; install PostgreSQL 14 or newer, or set PG_BIN"
    done
    command -v "${program%% *}" > /dev/null \
        || fail "$program is not here; install it, or name it, in a checkout: LOOPKEEPER=./loopkeeper $0 up"
    # In a checkout this builds it, once, and for longer than a node is waited for.
    $program --version > /dev/null || fail "$program does not start"
}

# PostgreSQL refuses to be run by root.
as_owner() {
    if [ "$(id -u)" = 0 ]; then
        setpriv --reuid=postgres --regid=postgres --clear-groups "$@"
    else
        "$@"
    fi
}

database_up() {
    pg=$(bin)
    if [ ! -d "$folder/database/data" ]; then
        mkdir -p "$folder/database"
        if [ "$(id -u)" = 0 ]; then chown postgres "$folder/database"; fi
        as_owner "$pg/initdb" -D "$folder/database/data" -U loopkeeper -A trust -E UTF8 > "$folder/initdb.log" 2>&1 \
            || fail "initdb failed, see $folder/initdb.log"
    fi
    if ! as_owner "$pg/pg_ctl" -D "$folder/database/data" status > /dev/null 2>&1; then
        as_owner "$pg/pg_ctl" -D "$folder/database/data" -l "$folder/database/log" -w \
            -o "-p $database_port -c listen_addresses=127.0.0.1 -c unix_socket_directories=" start > /dev/null \
            || fail "PostgreSQL does not start, see $folder/database/log; is port $database_port taken? Set PG_PORT"
    fi
    "$pg/createdb" -h 127.0.0.1 -p "$database_port" -U loopkeeper loopkeeper 2> /dev/null || true
    for n in $nodes; do "$pg/createuser" -h 127.0.0.1 -p "$database_port" -U loopkeeper -s "n$n" 2> /dev/null || true; done
}

ask() {
    "$(bin)/psql" -h 127.0.0.1 -p "$database_port" -U loopkeeper -d loopkeeper -q -t -c "$1" > /dev/null \
        || fail "the database does not answer; begin with: $0 up"
}

# After a restart of the machine another process may have its number.
alive() {
    [ -f "$folder/n$1.pid" ] && ps -o args= -p "$(cat "$folder/n$1.pid")" 2> /dev/null | grep -qF -- "--data $folder/n$1 "
}

# Another caller may have ended it first.
end() {
    kill "$2" "$(cat "$folder/n$1.pid")" 2> /dev/null || true
}

await_end() {
    tries=300
    while alive "$1"; do
        tries=$((tries - 1))
        [ $tries -gt 0 ] || fail "node n$1 does not end, see $folder/n$1.log; $0 kill $1 ends it at once"
        sleep 0.2
    done
}

node_up() {
    if alive "$1"; then return; fi
    rm -f "$folder/n$1/server.json"
    setsid $program serve --data "$folder/n$1" --port 0 --node "n$1" \
        --store "postgresql://n$1@127.0.0.1:$database_port/loopkeeper" --shared-root "$folder/work" \
        --cluster "$members" --cluster-bind "127.0.0.1:$((bus_port + $1 - 1))" \
        > "$folder/n$1.log" 2>&1 < /dev/null &
    echo $! > "$folder/n$1.pid"
}

url() {
    sed -n 's/.*"url" *: *"\([^"]*\)".*/\1/p' "$folder/n$1/server.json" 2> /dev/null
}

await_node() {
    tries=120
    while [ -z "$(url "$1")" ]; do
        sleep 0.5
        alive "$1" || fail "node n$1 has ended, see $folder/n$1.log: $(tail -n 1 "$folder/n$1.log"); end the others: $0 down"
        tries=$((tries - 1))
        [ $tries -gt 0 ] || fail "node n$1 does not serve yet, see $folder/n$1.log"
    done
    echo "n$1  $(url "$1")"
}

number() {
    case "${1:-}" in
        1 | 2 | 3) ;;
        *) fail "name a node: 1, 2 or 3" ;;
    esac
}

case "$folder" in
    /*) ;;
    *) folder=$PWD/$folder ;;
esac
database_port=${PG_PORT:-15432}
bus_port=${BUS_PORT:-15701}
members=127.0.0.1:$bus_port,127.0.0.1:$((bus_port + 1)),127.0.0.1:$((bus_port + 2))

case "${1:-}" in
    up)
        need
        mkdir -p "$folder/work"
        database_up
        for n in $nodes; do node_up "$n"; done
        for n in $nodes; do await_node "$n"; done
        echo "runs go to any node whose workspace lies below $folder/work"
        ;;
    kill)
        number "${2:-}"
        alive "$2" || fail "node n$2 does not run"
        end "$2" -9
        ;;
    cut)
        number "${2:-}"
        ask "ALTER ROLE n$2 NOLOGIN"
        ask "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'n$2'"
        ;;
    heal)
        number "${2:-}"
        ask "ALTER ROLE n$2 LOGIN"
        ;;
    stop)
        number "${2:-}"
        alive "$2" || fail "node n$2 does not run"
        end "$2" -15
        ;;
    status)
        for n in $nodes; do
            if alive "$n" && $program nodes --data "$folder/n$n" 2> /dev/null; then exit 0; fi
        done
        fail "no node answers; begin with: $0 up"
        ;;
    down)
        for n in $nodes; do if alive "$n"; then end "$n" -15; fi; done
        for n in $nodes; do await_end "$n"; done
        if [ -f "$folder/database/data/postmaster.pid" ]; then
            as_owner "$(bin)/pg_ctl" -D "$folder/database/data" -m fast -w stop > /dev/null \
                || fail "PostgreSQL does not end, see $folder/database/log"
        fi
        ;;
    *)
        sed -n '2,17p' "$0" | sed 's/^# \{0,1\}//'
        exit 2
        ;;
esac
