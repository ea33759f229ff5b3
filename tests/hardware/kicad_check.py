"""Run by the distribution's Python, which alone has KiCad's: checks boards, and plots one.

kicad_check.py check BOARD …         writes KiCad's report beside each board
kicad_check.py plot BOARD FOLDER     writes the board's Gerber files
"""

import sys
from pathlib import Path

import pcbnew

PLOTTED = {
    **{"F_Cu": pcbnew.F_Cu, "B_Cu": pcbnew.B_Cu},
    **{"F_Silkscreen": pcbnew.F_SilkS, "B_Silkscreen": pcbnew.B_SilkS},
}


def main(what: str, *names: str) -> None:
    """One of the two things above."""
    if what == "check":
        for name in names:
            board = pcbnew.LoadBoard(name)
            report = str(Path(name).with_suffix(".rpt"))
            pcbnew.WriteDRCReport(board, report, pcbnew.EDA_UNITS_MILLIMETRES, True)
        return
    board, folder = pcbnew.LoadBoard(names[0]), names[1]
    plot = pcbnew.PLOT_CONTROLLER(board)
    options = plot.GetPlotOptions()
    options.SetOutputDirectory(folder)
    options.SetGerberPrecision(6)
    options.SetDrillMarksType(pcbnew.PCB_PLOT_PARAMS.NO_DRILL_SHAPE)
    for name, layer in PLOTTED.items():
        plot.SetLayer(layer)
        plot.OpenPlotfile(name, pcbnew.PLOT_FORMAT_GERBER, "")
        plot.PlotLayer()
    plot.ClosePlot()


main(*sys.argv[1:])
