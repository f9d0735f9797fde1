/* Which backend computes: what --backend names, else what SIGMILL_BACKEND names, else the
 * fastest.  docs/backends.md has the whole of it. */
#ifndef SIGMILL_CLI_BACKEND_CHOICE_H
#define SIGMILL_CLI_BACKEND_CHOICE_H

/* Settles the choice, before anything is computed; `named` is the value of --backend,
 * NULL if it was not given.  CLI_VALID, or CLI_TROUBLE after a message that says why the
 * name will not do. */
int backend_choose(const char *named);

/* Says on stderr what did not go as wished, if something did not.  Settles the choice. */
void backend_tell_note(void);

#endif
