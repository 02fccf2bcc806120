/* SPDX-License-Identifier: MIT */
/* The words that can follow on a command line, for the completions in tools/completion. */
#ifndef HPT_TOOLS_COMPLETE_H
#define HPT_TOOLS_COMPLETE_H

#include "cli/cmd.h"

/* The first argument with which the completions call hpt; the words typed follow. */
#define COMPLETE "__complete"

/*
 * @top: the command "hpt" itself: its options, and the commands in subs. @words: what was typed after "hpt"; the last,
 * which may be empty, is to be completed. Prints a line for each word that it can become: the word, a tab and what it
 * means. A word that ends with '=' goes on with a value. A line ":files" or ":folders" stands for names of files.
 * Returns the command whose own executable knows what can follow, or NULL.
 */
const struct cmd *complete_words(const struct cmd *top, int n, char *words[]);

#endif
