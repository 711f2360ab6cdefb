"""What a cell of a student notebook asks before it shows something by its address: is there an
answer? Without one a frame stays empty and a player silent, and nothing says why.

Colab shows frames and sound of other sites in an output (its outputs are pages of their own, at
googleusercontent.com). VS Code shows frames from https: in an output, and no file by a relative
path (microsoft/vscode#154722, #172867); its Markdown cells drop <audio> (the tags that
extensions/markdown-language-features/notebook/index.ts allows), an output plays MP3 since 1.71
(#158759).
"""

NETWORK_CHECK = '''def web_answers(address, seconds=4):
    """Whether an address answers in time; where not, one line says what to do."""
    import threading
    said = []

    def ask():
        from urllib.request import Request, urlopen
        try:
            with urlopen(Request(address, method="HEAD"), timeout=seconds):
                said.append("ok")
        except Exception as error:  # no network, no such page, a proxy that refuses
            answered = hasattr(error, "code")
            said.append(f"it answers {error.code}" if answered else "no network")
    # in a thread of its own: looking up a name can take longer than any limit
    asking = threading.Thread(target=ask, daemon=True)
    asking.start()
    asking.join(seconds)
    if said == ["ok"]:
        return True
    why = said[0] if said else "no answer"
    print(f"Not shown here ({why}). In a browser that has a network: {address}")
    return False'''
