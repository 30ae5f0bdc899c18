"""The campaigns' web application: parse, call `human`, answer. Only this room knows the web framework."""
