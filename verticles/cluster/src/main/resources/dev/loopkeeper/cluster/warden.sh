# Ends the processes of a node whose lease is over, when its runtime cannot.
#
#   warden.sh watch FOLDER DATA RUNTIME     looks at FOLDER/lease every 100 ms
#   warden.sh end FOLDER DATA RUNTIME NAME  sends this signal once, or nothing for 0, and says how many there are
#
# FOLDER/lease holds "INCARNATION DEADLINE", the latter in hundredths of a second as in /proc/uptime. FOLDER/warden holds
# the pid of the warden that counts: one that another has followed leaves everything to that. Both runtime and warden
# hold FOLDER/fate open for writing: a guard that hears its end knows that both are dead, and ends the processes at once.
# FOLDER/ended tells the next runtime that processes were ended, and why.

# The environments of agents of this data folder.
marked() {
    set -- $(grep -lszxF "LOOPKEEPER_DATA=$data" /proc/[0-9]*/environ)
    [ $# -eq 0 ] || grep -lsz '^LOOPKEEPER_NONCE=' "$@"
}

# What carries the mark of this data folder, and all of the sessions of those. FOLDER/sessions holds which were found by the
# look before, and when: a session remains ours when its carriers are dead and somebody lives in it who cleared the environment.
# Longer ago than ten seconds it may be another's.
members() {
    sessions=' '
    uptime
    if read -r looked before 2>/dev/null <"$folder/sessions" && [ "$looked" -le "$now" ] && [ $((now - looked)) -lt 1000 ]; then
        sessions=" $before "
    fi
    carriers= killed=
    for environ in $(marked); do
        read -r stat 2>/dev/null <"${environ%/environ}/stat" || continue
        set -- ${stat##*) }
        sessions="$sessions$4 "
        pid=${environ#/proc/}
        pid=${pid%/environ}
        [ "$pid" = "$$" ] || [ "$pid" = "$runtime" ] || carriers="$carriers $pid" killed="$killed $4"
    done
    # Those that are known already need not wait for the look at all the others.
    if [ "$signal" = KILL ] && [ -n "$carriers" ]; then
        kill -s KILL $carriers 2>/dev/null
        echo $carriers
    else
        carriers= killed=
    fi
    [ "$sessions" = ' ' ] && return
    # Of those that are dead by now somebody without a mark may have come since.
    inhabited=$killed
    for process in /proc/[0-9]*; do
        read -r stat 2>/dev/null <"$process/stat" || continue
        set -- ${stat##*) }
        case $sessions in
            *" $4 "*) ;;
            *) continue ;;
        esac
        pid=${process#/proc/}
        [ "$1" = Z ] || [ "$pid" = "$$" ] || [ "$pid" = "$runtime" ] || {
            case "$carriers " in
                *" $pid "*) ;;
                *) echo "$pid" ;;
            esac
            inhabited="$inhabited $4"
        }
    done
    echo "$now$inhabited" >"$folder/sessions.$$" && mv -f "$folder/sessions.$$" "$folder/sessions"
}

# A frozen process gets its signals when it goes on.
signal_members() {
    signal=$1
    found=$(members)
    [ -n "$found" ] || return 1
    [ "$1" = 0 ] || kill -s "$1" $found 2>/dev/null
    [ "$1" != TERM ] || kill -s CONT $found 2>/dev/null
    return 0
}

counts() {
    owner=
    read -r owner 2>/dev/null <"$folder/warden"
    [ "$owner" = "$warden" ]
}

lease() {
    incarnation= deadline=
    read -r incarnation deadline <"$folder/lease"
    [ -n "$deadline" ] || deadline=0
}

uptime() {
    read -r up idle </proc/uptime
    now=${up%.*}${up#*.}
}

note() {
    echo "$1" >"$folder/ended"
}

guard() {
    exec 6<"$folder/fate" 5>&-
    read -r nothing <&6
    counts || exit 0
    rounds=3
    while [ "$rounds" -gt 0 ]; do
        if signal_members KILL; then
            note 'runtime and warden were killed'
            rounds=3
        else
            rounds=$((rounds - 1))
        fi
        counts || exit 0
        sleep 0.05
    done
    exit 0
}

watch() {
    trap '' HUP INT QUIT PIPE
    warden=$$
    rm -f "$folder/fate"
    mkfifo -m 600 "$folder/fate" || exit 1
    exec 5<>"$folder/fate" || exit 1
    echo "$warden" >"$folder/warden.new" && mv -f "$folder/warden.new" "$folder/warden" || exit 1
    guard </dev/null >/dev/null 2>&1 &
    echo watching
    exec >/dev/null 2>&1
    while counts; do
        lease
        uptime
        # One that was paused between the two looks compares an old deadline with a new time.
        seen=$deadline
        [ "$now" -lt "$seen" ] || lease
        [ "$seen" = "$deadline" ] || continue
        if [ "$now" -ge $((deadline + 150)) ]; then
            if signal_members KILL; then
                note 'the lease was over'
            else
                [ -d "/proc/$runtime" ] || exit 0
            fi
        elif [ "$now" -ge "$deadline" ]; then
            signal_members TERM && note 'the lease was over'
        fi
        sleep 0.1
    done
    exit 0
}

role=$1 folder=$2 data=$3 runtime=$4
case $role in
    watch) watch ;;
    end)
        found=
        signal_members "$5"
        set -- $found
        echo $#
        ;;
esac
