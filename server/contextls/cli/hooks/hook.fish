# contextls for fish: tells a workspace which commands ran in it, how they ended and how long they took.
# Outside of known workspaces it does nothing. A command that begins with a space is not recorded.
# Where an editor records what its terminals run (CONTEXTLS_EDITOR, or a file beside Neovim's socket), that is left to it.
if status is-interactive; and not functions -q __contextls_postexec
    function __contextls_preexec --on-event fish_preexec
        set -g __contextls_cwd $PWD
    end

    function __contextls_postexec --on-event fish_postexec
        set -l code $status
        set -l duration $CMD_DURATION
        set -l line $argv[1]
        # The command that loads this began before it was there.
        set -q __contextls_cwd; or return
        if set -q CONTEXTLS_EDITOR; and set -q VSCODE_SHELL_INTEGRATION
            return
        end
        if set -q NVIM; and test -e "$NVIM.contextls.$fish_pid"
            return
        end
        if test -z "$line"; or string match -qr '^\s' -- $line
            return
        end
        set -l root "$CONTEXTLS_ROOT"
        if test -z "$root"; and test -r @KNOWN@
            while read -l each
                if test (string sub -l (math (string length -- $each) + 1) -- $__contextls_cwd/) = $each/
                    and test (string length -- $each) -gt (string length -- "$root")
                    set root $each
                end
            end <@KNOWN@
        end
        test -z "$root"; and return
        @COMMAND@ --root=$root --cwd=$__contextls_cwd --exit-code=$code \
            --duration-ms=$duration --command=$line </dev/null >/dev/null 2>&1 &
        disown 2>/dev/null
    end
end
