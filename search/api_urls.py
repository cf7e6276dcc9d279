"""Addresses of the public API."""

from django.urls import URLPattern

app_name = "search-api"
urlpatterns: list[URLPattern] = []
