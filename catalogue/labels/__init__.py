"""Labels: numbers for boxes that have none yet, and sheets of labels as PDF.

`pattern` and `numbers` say which number comes next; `sheets` knows the papers; `bars` and `letters` make what
is drawn, `faces` place it on one label, `printing` fills pages. Lending prints its cards with the same.
"""
