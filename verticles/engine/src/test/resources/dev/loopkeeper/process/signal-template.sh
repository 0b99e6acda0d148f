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
unset @FIELDS@ option value json folder draft file decided questions fields
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
    printf '%s\n' @USAGE@
}

# Sets json to the JSON string of $1. Bytes that are not UTF-8 become U+FFFD.
quote() {
    json=$1
    case $1 in
        *[!A-Za-z0-9\ .,:_/-]*)
            # sed works line by line and tr joins the lines, so the time is linear. The dot shows that both have run.
            json=$(printf '%s.\n' "$1" | sed -E "$(printf @ESCAPES@)" | tr -d '\n')
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
@OPTIONS@
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
        @WORDS@)
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

[ -n "${LOOPKEEPER_NONCE-}" ] && [ -n "${LOOPKEEPER_SIGNAL_FILE+set}" ] || refuse @OUTSIDE@
[ -n "$file" ] || refuse @UNDECLARED@
case @CHOICES@ in
@CONTRADICTIONS@
esac
if [ -n "$questions" ]; then
    fields="$fields,\"userInputNeeded\":true,\"@QUESTIONS@\":[$questions]"
    [ -n "$decided" ] || fields="$fields,\"status\":\"partial\""
elif [ -z "$decided" ]; then
    refuse @UNDECIDED@
fi

case $file in
    /*) ;;
    *) file=$PWD/$file ;;
esac
quote "$LOOPKEEPER_NONCE"
json="{\"nonce\":$json$fields}"
[ "${#json}" -lt @MAX_BYTES@ ] || refuse @TOO_LARGE@
[ ! -d "$file" ] || fail 'it is a folder'
folder=${file%/*}/
draft=$folder.${file##*/}.$$.new
{ [ -d "$folder" ] || mkdir -p "$folder"; } && printf '%s\n' "$json" >"$draft" && mv -f "$draft" "$file" && exit 0
rm -f "$draft"
fail "check the disk space and the rights of $folder"
