"""Run by `erc.py` in a temporary folder: reads a circuit as JSON, prints SKiDL's complaints as
JSON."""

import io
import json
import logging
import sys
from typing import Any

import skidl
from skidl.logger import erc_logger
from skidl.pin import pin_types

ROLES = {
    "passive": pin_types.PASSIVE,
    "inout": pin_types.BIDIR,
    "source": pin_types.PWROUT,
    "supplied": pin_types.PWRIN,
}
BESIDE_THE_POINT = ("No footprint", "warnings found", "errors found", "No errors or warnings")
"""SKiDL's messages that are no complaint about a circuit."""


def main() -> None:
    """Build the circuit, check it, print the complaints."""
    told = json.load(sys.stdin)
    circuit = skidl.Circuit()
    parts = {part["ref"]: build(part, circuit) for part in told["components"]}
    for name, nodes in told["nets"]:
        net = skidl.Net(name, circuit=circuit)
        for ref, lead in nodes:
            net += parts[ref][lead]
    for part in told["components"]:
        for lead in part["free"]:
            circuit.NC += parts[part["ref"]][lead]
    words = io.StringIO()
    erc_logger.addHandler(logging.StreamHandler(words))
    circuit.ERC()
    lines = [line for line in words.getvalue().splitlines() if line.strip()]
    print(json.dumps([line for line in lines if not any(w in line for w in BESIDE_THE_POINT)]))


def build(part: dict[str, Any], circuit: skidl.Circuit) -> skidl.Part:
    """Return one part of SKiDL's with its pins."""
    template = skidl.Part(
        name=part["ref"],
        ref_prefix="X",
        dest=skidl.TEMPLATE,
        tool=skidl.SKIDL,
        pins=[skidl.Pin(num=name, name=name, func=ROLES[role]) for name, role in part["leads"]],
    )
    return template(circuit=circuit, ref=part["ref"])


if __name__ == "__main__":
    main()
