# contextls for zsh: tells a workspace which commands ran in it, how they ended and how long they took.
# Outside of known workspaces it does nothing. A command that begins with a space is not recorded.
# Where an editor records what its terminals run (CONTEXTLS_EDITOR, or a file beside Neovim's socket), that is left to it.
if [[ -o interactive && -z ${__contextls_hooked-} ]] && zmodload zsh/datetime 2>/dev/null; then
    typeset -g __contextls_hooked=1 __contextls_command='' __contextls_cwd=''
    typeset -gF __contextls_began=0

    # Both do without the options of the user, some of which print what is done here, or count in another way.
    __contextls_preexec() {
        { emulate -L zsh -o no_xtrace -o no_warn_nested_var; } 2>/dev/null
        __contextls_command=$1 __contextls_cwd=$PWD __contextls_began=$EPOCHREALTIME
    }

    __contextls_precmd() {
        { local code=$?; emulate -L zsh -o no_xtrace -o no_warn_nested_var -o no_force_float; } 2>/dev/null
        local command=$__contextls_command root='' each
        __contextls_command=''
        [[ -n ${CONTEXTLS_EDITOR-} && -n ${VSCODE_SHELL_INTEGRATION-} ]] && return 0
        [[ -n ${NVIM-} && -e $NVIM.contextls.$$ ]] && return 0
        [[ -z $command || $command == [[:space:]]* ]] && return 0
        root=${CONTEXTLS_ROOT-}
        if [[ -z $root && -r @KNOWN@ ]]; then
            while IFS= read -r each; do
                [[ $__contextls_cwd/ == "$each"/* && ${#each} -gt ${#root} ]] && root=$each
            done <@KNOWN@
        fi
        [[ -z $root ]] && return 0
        integer at=$((EPOCHREALTIME * 1000)) ms=$(((EPOCHREALTIME - __contextls_began) * 1000))
        (@COMMAND@ --root="$root" --cwd="$__contextls_cwd" --exit-code="$code" \
            --at-ms="$at" --duration-ms="$((ms > 0 ? ms : 0))" --command="$command" </dev/null >/dev/null 2>&1 &)
        return 0
    }

    autoload -Uz add-zsh-hook
    add-zsh-hook preexec __contextls_preexec
    add-zsh-hook precmd __contextls_precmd
fi
