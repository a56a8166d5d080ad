"""Options of the public functions and commands: what they take, and how it is checked."""
