# contextls for bash (4.4 or newer): tells a workspace which commands ran in it, how they ended and how long they took.
# Outside of known workspaces it does nothing. A command that begins with a space is not recorded.
# Where an editor records what its terminals run (CONTEXTLS_EDITOR, or a file beside Neovim's socket), that is left to it.
if [[ $- == *i* && -z ${__contextls_hooked-} ]] && shopt -q promptvars &&
    ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 404)); then
    __contextls_hooked=1 __contextls_none='' __contextls_began='' __contextls_first='' __contextls_cwd=$PWD
    __contextls_number='' __contextls_status=0

    # Sets REPLY to the workspace that holds a folder; fails where none does.
    __contextls_root() {
        local root
        REPLY=${CONTEXTLS_ROOT-}
        [[ -n $REPLY ]] && return 0
        [[ -r @KNOWN@ ]] || return 1
        while IFS= read -r root; do
            [[ $1/ == "$root"/* && ${#root} -gt ${#REPLY} ]] && REPLY=$root
        done <@KNOWN@
        [[ -n $REPLY ]]
    }

    # Sets __contextls_number and REPLY to the newest line of the history.
    __contextls_newest() {
        local entry
        entry=$(HISTTIMEFORMAT='' builtin history 1 2>/dev/null)
        [[ $entry =~ ^\ *([0-9]+)[*\ ]\ (.*)$ ]] || return 1
        __contextls_number=${BASH_REMATCH[1]} REPLY=${BASH_REMATCH[2]}
    }

    # Arguments: exit status, start, first simple command.
    __contextls_tell() {
        [[ -n ${CONTEXTLS_EDITOR-} && -n ${VSCODE_SHELL_INTEGRATION-} ]] && return 0
        [[ -n ${NVIM-} && -e $NVIM.contextls.$$ ]] && return 0
        local before=$__contextls_number command began=$2 took at='' REPLY
        __contextls_newest || return 0
        command=$REPLY
        [[ $command == [[:space:]]* || -z $command ]] && return 0
        # The history did not grow: the same line once more, or one that is to stay out of it.
        [[ $__contextls_number == "$before" && ( -z $3 || $command != "$3"* ) ]] && return 0
        __contextls_root "$__contextls_cwd" || return 0
        if [[ -n ${EPOCHREALTIME-} ]]; then
            at=$((${EPOCHREALTIME//[.,]/} / 1000)) took=$((at - began / 1000))
        else
            took=$(((SECONDS - began) * 1000))
        fi
        (@COMMAND@ --root="$REPLY" --cwd="$__contextls_cwd" --exit-code="$1" ${at:+--at-ms="$at"} \
            --duration-ms="$((took > 0 ? took : 0))" --command="$command" </dev/null >/dev/null 2>&1 &)
    }

    __contextls_precmd() {
        __contextls_status=$?
        { local -; set +kx; } 2>/dev/null # a trace is of what the user runs, and `set -k` takes arguments away
        local code=$__contextls_status began=$__contextls_began first=$__contextls_first
        __contextls_began='' __contextls_first=''
        [[ -n $began ]] && __contextls_tell "$code" "$began" "$first"
        __contextls_cwd=$PWD
        # Only where nobody else uses it, and only until the first command of the line has begun.
        if [[ -z $(trap -p DEBUG) ]]; then
            trap 'if [[ -n $__contextls_began ]]; then __contextls_first=$BASH_COMMAND; trap - DEBUG; fi' DEBUG
        fi
        return "$code"
    }

    __contextls_newest || true
    if [[ -n ${EPOCHREALTIME-} ]]; then
        PS0='${__contextls_none:$((__contextls_began=${EPOCHREALTIME//[.,]/},0))}'${PS0-}
    else
        PS0='${__contextls_none:$((__contextls_began=SECONDS,0))}'${PS0-}
    fi
    # It passes the status of the user's command on. That is no failure of its own, for `trap ... ERR` and `set -e`.
    if [[ $(declare -p PROMPT_COMMAND 2>/dev/null) == 'declare -a'* ]]; then
        PROMPT_COMMAND=('__contextls_precmd && :' "${PROMPT_COMMAND[@]}")
    else
        PROMPT_COMMAND='__contextls_precmd && :'${PROMPT_COMMAND:+$'\n'$PROMPT_COMMAND}
    fi
fi
