"""The running program: loop, session, commands, and the opponents."""
