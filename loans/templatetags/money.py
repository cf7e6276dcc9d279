"""Amounts in templates: whole cents in, the reader's way of writing them out."""

from django import template

from loans import amounts

register = template.Library()
register.filter("money", amounts.shown)
register.filter("amount", amounts.shown_number)
