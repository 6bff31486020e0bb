# What Tab offers behind docferry, in bash.
_docferry() {
  COMPREPLY=()
  local kind='' word prefix=''
  # What a command is read from or written to is a file.
  [[ $3 =~ ^[\<\>\&\|]+$ ]] && return
  # Where = does not part words, it belongs to what is replaced.
  [[ $2 == -*=* ]] && prefix=${2%%=*}=
  {
    read -r kind
    while IFS=$'\t' read -r word _; do COMPREPLY+=("$prefix$word"); done
  } < <(command docferry --complete-line 2>/dev/null <<<"${COMP_LINE:0:COMP_POINT}")
  # bash 3 has no compopt, and offers files wherever nothing else fits.
  case $kind in
    files) ;;
    folders) compopt +o bashdefault +o default -o dirnames 2>/dev/null ;;
    *) compopt +o bashdefault +o default 2>/dev/null ;;
  esac
}

# The latest run is to stay the first; bash before 4.4 sorts all.
complete -o bashdefault -o default -o nosort -F _docferry docferry 2>/dev/null ||
  complete -o bashdefault -o default -F _docferry docferry
