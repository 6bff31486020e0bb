#compdef docferry
# What Tab offers behind docferry, in zsh.
_docferry() {
  local line="${(j: :)words[1,CURRENT-1]} $QIPREFIX$IPREFIX$PREFIX"
  local -a answer=("${(@f)$(command docferry --complete-line 2>/dev/null <<<"$line")}")
  # Of --flag=value, the value is completed.
  [[ $PREFIX == -*=* ]] && compset -P 1 '*='
  case $answer[1] in
    files) _files ;;
    folders) _path_files -/ ;;
    words)
      # To _describe, the first colon is what parts a word from its description.
      answer=("${(@)answer[2,-1]//:/\\:}")
      answer=("${(@)${(@)answer/$'\t'/:}%:}")
      _describe -V docferry answer ;;
  esac
}

# Found by compinit, this file is the function; sourced, it registers it.
if [[ $funcstack[1] == _docferry ]]; then _docferry "$@"; else compdef _docferry docferry; fi
