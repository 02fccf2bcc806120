# SPDX-License-Identifier: MIT
# Completion of hpt in bash. "hpt __complete" says what can follow, so that nothing here knows an option.

_hpt()
{
	local words=() line word i

	# bash takes "--source=tsc" for three words.
	for ((i = 1; i <= COMP_CWORD; i++)); do
		if [[ ${COMP_WORDS[i]} == = || ${COMP_WORDS[i - 1]} == = ]] && ((${#words[@]})); then
			words[-1]+=${COMP_WORDS[i]}
		else
			words+=("${COMP_WORDS[i]}")
		fi
	done
	word=${words[-1]}
	COMPREPLY=()
	while IFS= read -r line; do
		case $line in
		:files | :folders)
			compopt -o filenames 2>/dev/null
			[[ $word != -*=* ]] || word=${word#*=}
			[ "$line" = :files ] && i=-f || i=-d
			mapfile -t COMPREPLY < <(compgen "$i" -- "$word")
			;;
		:programs)
			mapfile -t COMPREPLY < <(compgen -c -- "$word")
			;;
		*)
			line=${line%%$'\t'*}
			[[ $line != *= ]] || compopt -o nospace 2>/dev/null
			# What bash completes is the last of its three words.
			[[ $word != -*=* || $COMP_WORDBREAKS != *=* ]] || line=${line#*=}
			COMPREPLY+=("$line")
			;;
		esac
	done < <("${1/#~\//$HOME/}" __complete "${words[@]}" 2>/dev/null </dev/null)
}

complete -F _hpt hpt
