# Starts an agent if the lease under which that was decided still holds: gate.sh FOLDER COMMAND...
folder=$1
shift
incarnation= deadline=
read -r incarnation deadline <"$folder/lease"
read -r up idle </proc/uptime
if [ "$incarnation" != "$LOOPKEEPER_LEASE" ] || [ "${up%.*}${up#*.}" -ge "${deadline:-0}" ]; then
    echo "not started: this node has lost its lease" >&2
    exit 126
fi
unset LOOPKEEPER_LEASE
exec "$@"
