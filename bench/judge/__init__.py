"""`judge` and a server with a language model on a GPU: `python -m bench.judge RESULT`.

The weights are random, because time does not depend on them; the shape of the network is that of a model of the Llama
family. The server computes as many tokens as a reply has, and sends a reply that can be read instead of them. `make
bench` leaves this out, since it needs a GPU.
"""
