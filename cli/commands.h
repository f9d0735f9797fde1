/* The commands.  Each reads its own arguments (argv[0] is its name) and returns the exit
 * code: CLI_VALID, CLI_INVALID or CLI_TROUBLE. */
#ifndef SIGMILL_CLI_COMMANDS_H
#define SIGMILL_CLI_COMMANDS_H

int command_verify(int argc, char **argv);
int command_sign(int argc, char **argv);
int command_keygen(int argc, char **argv);
int command_pubkey(int argc, char **argv);
int command_hint(int argc, char **argv);
int command_convert(int argc, char **argv);
int command_batch(int argc, char **argv);
int command_cpu(int argc, char **argv);
int command_selftest(int argc, char **argv);
int command_speed(int argc, char **argv); /* speed.c */

#endif
