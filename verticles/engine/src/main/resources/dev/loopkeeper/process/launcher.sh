# Launches one agent and records how it ended, also when the runtime that asked for it is long gone.
#
#   launcher.sh record FOLDER NONCE DATA INPUT FATE SIGNAL GRACE TOOLS CGROUP ENTER PROC WORD...
#   launcher.sh enclose FOLDER PATH PROC WORD...
#   launcher.sh agent FOLDER PATH PROC WORD...
#
# "record" leads a session of its own and runs the agent in the foreground; "agent" leads the agent's session, tells
# its pid on descriptor 3 and becomes the agent; "enclose" is the first process of its PID namespace, where it has one.
# CGROUP is a folder to move to, ENTER the words that enter a namespace, PROC whether /proc is then mounted anew; the
# first two may be empty. Builtins do what they can: each program started costs a millisecond.

# Who this shell is, as the mounted /proc sees it: within a namespace $$ is another number. The start time is field 22.
identity() {
    read -r stat </proc/self/stat && read -r boot </proc/sys/kernel/random/boot_id || return 1
    pid=${stat%% *}
    set -- ${stat##*) }
    shift 19
    line="{\"pid\":$pid,\"startTicks\":$1,\"bootId\":\"$boot\"}"
    printf '%s\n' "$line"
}

# Only one launcher ever wins the claim of a step, whoever started it and whatever crashed in between.
claim() {
    set -C
    { identity >"$folder/claim.json"; } 2>/dev/null || { [ -s "$folder/claim.json" ] && exit 75; exit 74; }
    set +C
}

carriers() {
    for environ in $(grep -lsF "LOOPKEEPER_NONCE=$nonce" /proc/[0-9]*/environ); do
        environ=${environ#/proc/}
        echo "${environ%/environ}"
    done
}

# Everything in the agent's session, and whatever carries its nonce elsewhere.
members() {
    leader=
    [ -r "$folder/launch.json" ] && read -r line <"$folder/launch.json" && leader=${line#*:} && leader=${leader%%,*}
    for process in /proc/[0-9]*; do
        read -r stat 2>/dev/null <"$process/stat" || continue
        set -- ${stat##*) }
        [ "$4" = "${leader:-none}" ] && [ "$1" != Z ] && echo "${process#/proc/}"
    done
    carriers
}

signal_members() {
    found=$(members)
    [ -n "$found" ] && kill -s "$1" $found 2>/dev/null
    [ -n "$found" ]
}

# The runtime holds the other end of descriptor 4 for as long as it lives.
follow_runtime() {
    while read -r _ <&4; do :; done
    rounds=50
    while [ ! -s "$folder/launch.json" ] && [ ! -e "$folder/exit.json" ] && [ "$rounds" -gt 0 ]; do
        sleep 0.1
        rounds=$((rounds - 1))
    done
    [ -e "$folder/exit.json" ] && exit 0
    : >"$folder/runtime-died"
    signal_members "$stop" || exit 0
    while [ "$grace" -gt 0 ] && [ -n "$(members)" ]; do
        sleep 0.1
        grace=$((grace - 100))
    done
    rounds=100
    while [ "$rounds" -gt 0 ] && signal_members KILL; do
        sleep 0.05
        rounds=$((rounds - 1))
    done
    exit 0
}

# Until when whoever was born into a session with the agent's number was born into the agent's: in hundredths of a second
# since boot, which are the ticks of /proc. The shell has waited for it a moment ago; all pids would have to be used up since.
ended() {
    ended=
    read -r up _ </proc/uptime || return
    ticks=${up%.*}${up#*.}
    case $ticks in
        0* | *[!0-9]*) ;;
        *) ended=",\"endTicks\":$ticks" ;;
    esac
}

record() {
    folder=$1 nonce=$2 data=$3 input=$4 fate=$5 stop=$6 grace=$7 path=$PATH
    PATH=$8
    shift 8
    cgroup=$1 enter=$2 proc=$3
    shift 3
    claim
    # Caught rather than ignored: an ignored signal would be ignored by the agent too.
    trap : HUP INT QUIT TERM
    if [ "$fate" = kill ]; then
        exec 4<&0
        follow_runtime &
        follower=$!
        exec 4<&-
    fi
    # In a subshell, so that neither its files nor what this shell says of its death are mixed up with ours.
    (
        exec 3>&1 <"$input" >>"$folder/stdout.log" 2>>"$folder/stderr.log" || exit 125
        export LOOPKEEPER_NONCE="$nonce" LOOPKEEPER_DATA="$data"
        [ -z "$cgroup" ] || echo 0 >"$cgroup/cgroup.procs" || exit 125
        [ -z "$enter" ] || exec setsid $enter /bin/sh "$0" enclose "$folder" "$path" "$proc" "$@"
        exec setsid /bin/sh "$0" agent "$folder" "$path" "$proc" "$@"
    )
    status=$?
    ended
    # One write, and no part of it is whole JSON: a reader sees all of the record or none, without a rename by mv.
    printf '{"exitCode":%d%s}\n' "$status" "$ended" >"$folder/exit.json"
    if [ "$fate" = kill ]; then
        [ -e "$folder/runtime-died" ] || kill -s KILL "$follower"
        wait "$follower"
    fi
    exit 0
}

# Whether a program of this name lies in a folder of the path that can be looked into.
on_path() {
    rest=$PATH:
    while [ -n "$rest" ]; do
        entry=${rest%%:*}
        rest=${rest#*:}
        [ -f "${entry:-.}/$1" ] && return 0
    done
    return 1
}

# A shell calls a program forbidden that it did not find, when a folder of the path is one that it may not look into.
refuse() {
    status=$?
    : >"$folder/exec-failed"
    case $program in
        */*) ;;
        *) [ "$status" -ne 126 ] || on_path "$program" || exit 127 ;;
    esac
}

# The namespace ends with this shell, and whatever still lives in it.
enclose() {
    trap : HUP INT QUIT TERM
    exec 4>&2 2>/dev/null
    (
        exec 2>&4 4>&-
        exec setsid /bin/sh "$0" agent "$@"
    )
    status=$?
    exit "$status"
}

agent() {
    folder=$1 path=$2 proc=$3
    shift 3
    identity >"$folder/launch.json" || { refuse; exit 126; }
    # A runtime that died before it could hear the pid must not take the agent with it.
    trap '' PIPE
    printf '%s\n' "$line" 2>/dev/null >&3
    trap - PIPE
    exec 3>&-
    umask "$LOOPKEEPER_UMASK"
    unset LOOPKEEPER_UMASK
    [ "$proc" = yes ] && mount -t proc proc /proc 2>/dev/null
    PATH=$path
    # Java raises the soft limit of open files for itself. The agent gets the one that was in force before.
    [ -z "$LOOPKEEPER_OPEN_FILES" ] || ulimit -S -n "$LOOPKEEPER_OPEN_FILES" 2>/dev/null
    unset LOOPKEEPER_OPEN_FILES
    # Shells differ: some run the trap when exec fails, some go on behind it when told to.
    [ -n "$BASH_VERSION" ] && shopt -s execfail 2>/dev/null
    program=$1
    trap refuse EXIT
    exec "$@"
    status=$?
    exit "$status"
}

# Notes and logs are their owner's alone; the agent gets the mask that this shell was given.
export LOOPKEEPER_UMASK="${LOOPKEEPER_UMASK:-$(umask)}"
umask 077
role=$1
shift
"$role" "$@"
