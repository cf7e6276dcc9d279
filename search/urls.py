"""Addresses of the public catalogue."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
