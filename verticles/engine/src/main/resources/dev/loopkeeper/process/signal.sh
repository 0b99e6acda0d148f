#!/bin/sh
# Writes the signal of a step as `loopkeeper signal` does, without starting Java. Its options, their values and its refusals
# are those of the reader of signal files: SignalScriptTest writes this file from its template.
set -u
LC_ALL=C
PATH=/usr/bin:/bin
export LC_ALL PATH
# Without this a file that grows beyond the limit of the process would end the shell with a signal and leave a part of it.
trap '' XFSZ
# What the environment may have under these names would be exported with each new value.
unset determination verdict status keyConcern option value json folder draft file decided questions fields
file=${LOOPKEEPER_SIGNAL_FILE-} decided='' questions='' fields=''

refuse() {
    printf 'loopkeeper: no signal was written: %s\n' "$1" >&2
    exit 2
}

fail() {
    printf 'loopkeeper: signal file %s cannot be written: %s\n' "$file" "$1" >&2
    exit 1
}

usage() {
    printf '%s\n' 'Writes the signal of this step, which says what came of the work.' \
        'usage: "$LOOPKEEPER_SIGNAL" OPTION VALUE ...' \
        '  --determination SUCCESS|MILESTONE_SUCCESS|PROGRESS|STALLED|ANOMALY' \
        '      What the iteration achieved.' \
        '  --verdict approved|rejected|failed' \
        '      The judgement of an item or a gate.' \
        '  --status completed|partial|blocked' \
        '      How far the step got.' \
        '  --concern TEXT' \
        '      What the next step should know or do.' \
        '  --question TEXT' \
        '      What only a person can answer; repeatable, and pauses the run.'
}

# Sets json to the JSON string of $1. Bytes that are not UTF-8 become U+FFFD.
quote() {
    json=$1
    case $1 in
        *[!A-Za-z0-9\ .,:_/-]*)
            # sed works line by line and tr joins the lines, so the time is linear. The dot shows that both have run.
            json=$(printf '%s.\n' "$1" | sed -E "$(printf 's/["\\\\]/\\\\&/g\ns/\001/\\\\u0001/g\ns/\002/\\\\u0002/g\ns/\003/\\\\u0003/g\ns/\004/\\\\u0004/g\ns/\005/\\\\u0005/g\ns/\006/\\\\u0006/g\ns/\007/\\\\u0007/g\ns/\010/\\\\u0008/g\ns/\011/\\\\u0009/g\ns/\013/\\\\u000B/g\ns/\014/\\\\u000C/g\ns/\015/\\\\u000D/g\ns/\016/\\\\u000E/g\ns/\017/\\\\u000F/g\ns/\020/\\\\u0010/g\ns/\021/\\\\u0011/g\ns/\022/\\\\u0012/g\ns/\023/\\\\u0013/g\ns/\024/\\\\u0014/g\ns/\025/\\\\u0015/g\ns/\026/\\\\u0016/g\ns/\027/\\\\u0017/g\ns/\030/\\\\u0018/g\ns/\031/\\\\u0019/g\ns/\032/\\\\u001A/g\ns/\033/\\\\u001B/g\ns/\034/\\\\u001C/g\ns/\035/\\\\u001D/g\ns/\036/\\\\u001E/g\ns/\037/\\\\u001F/g\ns/\177/\\\\u007F/g\ns/([\302-\337][\200-\277]|\340[\240-\277][\200-\277]|[\341-\354\356\357][\200-\277][\200-\277]|\355[\200-\237][\200-\277]|\360[\220-\277][\200-\277][\200-\277]|[\361-\363][\200-\277][\200-\277][\200-\277]|\364[\200-\217][\200-\277][\200-\277])|[\200-\377]/\\1\001/g\ns/([\200-\377])\001/\\1/g\ns/\001/\\\\uFFFD/g\n$!s/$/\\\\n/')" | tr -d '\n')
            case $json in
                *.) json=${json%.} ;;
                *) fail "sed or tr cannot be run, or is not in $PATH" ;;
            esac
            ;;
    esac
    json="\"$json\""
}

# Sets json to the JSON string of $1, cut as messages show it.
quote_short() {
    json=$(printf '%.80s.' "$1")
    quote "${json%.}"
    if [ "${#json}" -gt 80 ]; then
        # Without the character at its end where that is beyond ASCII: a part of it may be missing.
        json=$(printf '%.79s.' "$json" | sed -E "$(printf 's/[\300-\377]?[\200-\277]*\.$//')")…
    fi
}

once() {
    [ -z "$1" ] || refuse "$option is given twice"
}

not_one_of() {
    quote_short "$value"
    refuse "$1 must be one of $2, but is $json"
}

# Adds the field that $option sets to $value.
add() {
    case $option in
        --determination)
            once "${determination+given}"
            case $value in
                'SUCCESS' | 'MILESTONE_SUCCESS' | 'PROGRESS' | 'STALLED' | 'ANOMALY') ;;
                *) not_one_of determination 'SUCCESS, MILESTONE_SUCCESS, PROGRESS, STALLED, ANOMALY' ;;
            esac
            decided=yes
            json="\"$value\""
            determination=$value
            fields="$fields,\"determination\":$json"
            ;;
        --verdict)
            once "${verdict+given}"
            case $value in
                'approved' | 'rejected' | 'failed') ;;
                *) not_one_of verdict 'approved, rejected, failed' ;;
            esac
            decided=yes
            json="\"$value\""
            verdict=$value
            fields="$fields,\"verdict\":$json"
            ;;
        --status)
            once "${status+given}"
            case $value in
                'completed' | 'partial' | 'blocked') ;;
                *) not_one_of status 'completed, partial, blocked' ;;
            esac
            decided=yes
            json="\"$value\""
            status=$value
            fields="$fields,\"status\":$json"
            ;;
        --concern)
            once "${keyConcern+given}"
            quote "$value"
            keyConcern=$value
            fields="$fields,\"keyConcern\":$json"
            ;;
        --question)
            quote "$value"
            questions=${questions:+$questions,}$json
            ;;
        *)
            quote_short "$option"
            refuse "there is no option $json; \"\$LOOPKEEPER_SIGNAL\" --help lists the options; for JSON use: loopkeeper signal"
            ;;
    esac
}

while [ $# -gt 0 ]; do
    case $1 in
        -h | --help)
            usage
            exit 0
            ;;
        --*=*)
            option=${1%%=*}
            value=${1#*=}
            ;;
        --determination | --verdict | --status | --concern | --question)
            [ $# -gt 1 ] || refuse "$1 needs a value"
            option=$1
            value=$2
            shift
            ;;
        *)
            option=$1
            ;;
    esac
    shift
    add
done

[ -n "${LOOPKEEPER_NONCE-}" ] && [ -n "${LOOPKEEPER_SIGNAL_FILE+set}" ] || refuse 'this is not a step of a run: LOOPKEEPER_NONCE and LOOPKEEPER_SIGNAL_FILE are not set; Loopkeeper sets them for the agents that it launches'
[ -n "$file" ] || refuse 'the agent of this step declares no signal file; add signal: to the agent in the manifest'
case "${determination-}/${verdict-}/${status-}" in
    SUCCESS/rejected/*) refuse 'determination SUCCESS and verdict rejected contradict each other' ;;
    SUCCESS/failed/*) refuse 'determination SUCCESS and verdict failed contradict each other' ;;
    MILESTONE_SUCCESS/rejected/*) refuse 'determination MILESTONE_SUCCESS and verdict rejected contradict each other' ;;
    MILESTONE_SUCCESS/failed/*) refuse 'determination MILESTONE_SUCCESS and verdict failed contradict each other' ;;
    STALLED/approved/*) refuse 'determination STALLED and verdict approved contradict each other' ;;
    ANOMALY/approved/*) refuse 'determination ANOMALY and verdict approved contradict each other' ;;
    SUCCESS/*/blocked) refuse 'status blocked contradicts determination SUCCESS' ;;
    MILESTONE_SUCCESS/*/blocked) refuse 'status blocked contradicts determination MILESTONE_SUCCESS' ;;
    */approved/blocked) refuse 'status blocked contradicts verdict approved' ;;
esac
if [ -n "$questions" ]; then
    fields="$fields,\"userInputNeeded\":true,\"questions\":[$questions]"
    [ -n "$decided" ] || fields="$fields,\"status\":\"partial\""
elif [ -z "$decided" ]; then
    refuse 'none of status, determination, verdict, readiness and terminal is present'
fi

case $file in
    /*) ;;
    *) file=$PWD/$file ;;
esac
quote "$LOOPKEEPER_NONCE"
json="{\"nonce\":$json$fields}"
[ "${#json}" -lt 1048576 ] || refuse 'the file is larger than 1048576 bytes'
[ ! -d "$file" ] || fail 'it is a folder'
folder=${file%/*}/
draft=$folder.${file##*/}.$$.new
{ [ -d "$folder" ] || mkdir -p "$folder"; } && printf '%s\n' "$json" >"$draft" && mv -f "$draft" "$file" && exit 0
rm -f "$draft"
fail "check the disk space and the rights of $folder"
