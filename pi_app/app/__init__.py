"""The running program: loop, session, commands, and whoever sits at the board."""
