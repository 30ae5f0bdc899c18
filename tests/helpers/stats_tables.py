"""Tables of the methods that lie beside the project, for tests that reproduce them."""


def methods_table(shared):
    """METHODS.md, section 4: (n, effect) to power, as printed there."""
    text = (shared.root / "METHODS.md").read_text(encoding="utf-8")
    section = text[text.index("## 4.") : text.index("## 5.")]
    lines = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in section.splitlines()
        if line[:1] == "|"
    ]
    effects = [float(cell) for cell in lines[0][1:]]
    return {
        (int(row[0]), effect): float(cell)
        for row in lines[2:]
        for effect, cell in zip(effects, row[1:], strict=True)
    }
