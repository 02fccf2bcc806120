# SPDX-License-Identifier: MIT
# Completion of hpt in fish. "hpt __complete" says what can follow, so that nothing here knows an option.

function __hpt_complete
    set -l before (commandline -opc)
    set -l word (commandline -ct)
    set -q word[1]; or set word ''
    # What stands before a value in the same word is part of each completion.
    set -l begin (string match -r -- '^-[^=]*=' $word)
    set -q begin[1]; or set begin ''
    set -l path (string replace -r -- '^-[^=]*=' '' $word)
    for line in ($before[1] __complete $before[2..-1] $word 2>/dev/null </dev/null)
        switch $line
            case :files
                printf '%s\n' $begin(__fish_complete_path $path)
            case :folders
                printf '%s\n' $begin(__fish_complete_directories $path)
            case :programs
                __fish_complete_command
            case '*'
                printf '%s\n' $line
        end
    end
end

complete -c hpt -f -a '(__hpt_complete)'
